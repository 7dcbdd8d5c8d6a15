import { cryptoCreate, memoUpdate } from '#src/simulator/kinds/account.ts'
import { autoCreateTransfer, plainTransfer } from '#src/simulator/kinds/hbar.ts'
import { topicMessage } from '#src/simulator/kinds/topic.ts'
import type { Kind, Planned, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

/** Two to four transactions of different payers that happen together or not at all. */
export const atomicBatch: Kind = (world) => {
  const payer = world.payer()
  const fails = world.failure('INNER_TRANSACTION_FAILED') !== undefined
  const planned = fails ? transfersOnly(world) : world.prng.pick([transfersOnly, mixed])(world)
  const header = { batchKey: world.keyOf(payer) }
  const inner = planned.map((submission) => ({ ...submission, header: { ...submission.header, ...header } }))
  const batch = batchOf(payer, inner)
  if (!fails) return batch
  const last = inner.length - 1
  const failed = inner.map((submission, index): Submission => {
    const { movements: _undone, ...rest } = submission
    return { ...rest, result: index === last ? 'INSUFFICIENT_ACCOUNT_BALANCE' : 'REVERTED_SUCCESS' }
  })
  return { ...batch, inner: failed, result: 'INNER_TRANSACTION_FAILED' }
}

/** The emitter puts the signed inner transactions into the body. */
export function batchOf(payer: number, inner: readonly Submission[]): Submission {
  return { body: { atomicBatch: {} }, payer, fee: 900_000, inner }
}

function transfersOnly(world: World): Submission[] {
  return successful(world, () => Array.from({ length: world.prng.between(2, 4) }, () => plainTransfer(world)))
}

function mixed(world: World): Submission[] {
  const kinds = world.prng.pick([
    [autoCreateTransfer, topicMessage],
    [cryptoCreate, memoUpdate],
  ])
  return successful(world, () => [plainTransfer(world), ...kinds.map((kind) => kind(world))].filter(isOne))
}

/** Plans without failures: whether the batch fails is decided for all of it. */
function successful(world: World, plan: () => Submission[]): Submission[] {
  const { failureShare } = world
  world.failureShare = 0
  const planned = plan()
  world.failureShare = failureShare
  return planned
}

/** The same where code of contracts is run. */
export async function successfully(world: World, plan: () => Promise<Submission[]>): Promise<Submission[]> {
  const { failureShare } = world
  world.failureShare = 0
  const planned = await plan()
  world.failureShare = failureShare
  return planned
}

export function isOne(planned: Planned): planned is Submission {
  return planned !== undefined && !Array.isArray(planned)
}
