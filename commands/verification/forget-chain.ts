import { randomUUID } from 'node:crypto'
import { digestOf, eventIdFor } from '#commands/status/command-ids.ts'
import { chainStream } from '#commands/verification/events.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { DecisionStore } from '#src/ports/decision-store.ts'

export interface ForgetChainOptions {
  readonly store: DecisionStore
  readonly clock: Clock
  readonly actor: string
}

const attemptsMax = 50

/** Everything that was verified on a chain is verified no more: its network was reset, and addresses are others' now. */
export async function forgetChain(chain: string, { store, clock, actor }: ForgetChainOptions): Promise<void> {
  const stream = chainStream(chain)
  const command_id = randomUUID()
  for (let attempt = 1; ; attempt++) {
    const newest = (await store.readStream(stream)).at(-1)
    const at = new Date(clock.now()).toISOString()
    const command_digest = digestOf({ forget: chain, command_id })
    const who = { actor, actor_role: 'operator', schema_version: 1, recorded_at: at } as const
    const event = {
      id: eventIdFor(command_id, stream, 'ChainForgotten', 0),
      type: 'ChainForgotten',
      data: { chain, at },
      metadata: { ...who, command_id, command_digest },
    }
    try {
      await store.append(stream, newest?.revision ?? 'none', [event])
      return
    } catch (error) {
      if (!isLedgerError(error, 'revision_conflict') || attempt >= attemptsMax) throw error
    }
  }
}
