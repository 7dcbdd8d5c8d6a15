import { type HexAddress, longZeroOf, numberOf } from '#src/evm/addresses.ts'
import type { CallRequest } from '#src/evm/call-request.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'
import type { Job, StateQuestion } from '#src/evm/threads/messages.ts'

/** An answer to a question of a thread, before it asks. */
export interface KnownFact {
  readonly about: StateQuestion
  readonly of: readonly unknown[]
  readonly fact: unknown
}

const treasury = longZeroOf(2n)

/** What every call asks for, found at once: where it runs, what gas costs, who pays, and what is called. */
export async function gatherFacts(requests: readonly CallRequest[], state: LedgerState): Promise<KnownFact[]> {
  const addresses = new Set(requests.flatMap(({ from, to }) => [from ?? treasury, ...(to === undefined ? [] : [to])]))
  return Promise.all([
    knownOf('block', [], state.block()),
    knownOf('prices', [], state.prices()),
    ...[...addresses].map((address) => entityAt(address, state)),
  ])
}

/** The calls of a job. */
export function requestsOf(job: Job): readonly CallRequest[] {
  return job.kind === 'simulate' ? job.blocks.flatMap(({ calls }) => calls) : [job.request]
}

function entityAt(address: HexAddress, state: LedgerState): Promise<KnownFact> {
  const number = numberOf(address)
  return number === undefined
    ? knownOf('entityAt', [address], state.entityAt(address))
    : knownOf('entity', [number], state.entity(number))
}

async function knownOf(about: StateQuestion, of: readonly unknown[], fact: Promise<unknown>): Promise<KnownFact> {
  return { about, of, fact: await fact }
}
