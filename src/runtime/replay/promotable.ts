import { setTimeout as sleep } from 'node:timers/promises'
import { LedgerError } from '#src/domain/errors.ts'
import { decisionsGeneration, type NamedInstance, type Plan, servingInstance } from '#src/operations/plan.ts'
import { recordScrub } from '#src/operations/scrubs.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { MessageLog, Position } from '#src/ports/message-log.ts'
import type { ProjectionSchema, ReadStore } from '#src/ports/read-store.ts'
import { scrubRecord, scrubRows } from '#src/runtime/replay/scrub.ts'
import { formatCount } from '#src/runtime/watch/status.ts'

/** So long an instance that is kept up to date may be behind the one that serves. */
const catchUpMaxMs = 5_000
const catchUpPollMs = 100

/** Where instances of read models, and the logs that they are made from, can be asked. */
export interface Instances {
  readonly store: ReadStore
  readonly log: (generation: number) => Promise<MessageLog>
  /** Where the rows of an instance are. Throws `version_unknown` where this code has no fold for it. */
  readonly schemaOf: (instance: NamedInstance) => ProjectionSchema
}

/** The instances that are to serve, once it is certain that they can. */
export async function getTargets(
  instances: Instances,
  next: Plan,
  names: readonly string[],
  lagMax: number,
): Promise<NamedInstance[]> {
  const targets = names.map((name) => servingInstance(next, name)!)
  for (const target of targets) {
    if (target.generation !== next.generation && target.generation !== decisionsGeneration)
      throw otherGeneration(target, next.generation)
    await assertFresh(instances, target, lagMax)
  }
  return targets
}

/**
 * Rejects with `store_damaged` where a row or an index of what is to serve is not as it was written, and says so to the processes that serve.
 * Reads all of it.
 */
export async function assertWhole(
  { store, control, schemaOf }: Pick<Instances, 'store' | 'schemaOf'> & { readonly control: ControlStore },
  targets: readonly NamedInstance[],
  signal?: AbortSignal,
): Promise<void> {
  for (const target of targets) {
    const beganAtMs = Date.now()
    const scrubbed = await scrubRows({ store, schema: schemaOf(target), signal })
    if (signal?.aborted)
      throw new LedgerError(
        'interrupted',
        `The scrub of ${target.name} v${target.id} was interrupted; nothing was changed`,
      )
    if (scrubbed === undefined) continue
    await recordScrub(control, scrubbed.instance, scrubRecord(scrubbed, beganAtMs, Date.now()))
    if (scrubbed.damage !== undefined) throw scrubbed.damage
  }
}

/**
 * What serves next has to have all that serves now, or answers would go back in time. Whoever keeps it up to date may be a
 * moment behind.
 */
export async function assertHoldNoLess(
  store: ReadStore,
  plan: Plan,
  next: Plan,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const [before, after] = [servingInstance(plan, name), servingInstance(next, name)]
    if (before === undefined || after === undefined || before.generation !== after.generation) continue
    const wanted = await positionOf(store, before)
    const deadline = performance.now() + catchUpMaxMs
    let has = await positionOf(store, after)
    while (has < wanted && performance.now() < deadline) {
      await sleep(catchUpPollMs)
      has = await positionOf(store, after)
    }
    if (has < wanted) throw holdsLess(name, before.id, wanted, after.id, has)
  }
}

/** Of any instance: what serves may be of a version that this code has no fold for any more. */
async function positionOf(store: ReadStore, { name, version, build }: NamedInstance): Promise<Position> {
  const reader = await store.openReader({ name, version, build, collections: {} })
  try {
    return (await reader.checkpoint())?.position ?? 0
  } finally {
    await reader.close()
  }
}

function holdsLess(name: string, serving: string, wanted: Position, id: string, has: Position): LedgerError {
  return new LedgerError(
    'operation_refused',
    `${name} v${id} holds ${formatCount(has)} events, ${formatCount(wanted - has)} fewer than v${serving}, which serves; run "ledger-history project" until it has them, or accept the loss with --allow-older`,
    { name, id, position: has, serving, servingPosition: wanted },
  )
}

async function assertFresh({ store, log, schemaOf }: Instances, target: NamedInstance, lagMax: number): Promise<void> {
  const { name, id, generation } = target
  const reader = await store.openReader(schemaOf(target))
  try {
    const { sequence: head } = await (await log(generation)).head()
    const lag = head - ((await reader.checkpoint())?.position ?? 0)
    if (lag <= lagMax) return
    throw new LedgerError(
      'operation_refused',
      `${name} v${id} is ${formatCount(lag)} events behind the log, more than ${formatCount(lagMax)}; keep it up to date with "ledger-history project", or allow it with --max-lag-events`,
      { name, id, lagEvents: lag },
    )
  } finally {
    await reader.close()
  }
}

function otherGeneration({ name, id, generation }: NamedInstance, serving: number): LedgerError {
  return new LedgerError(
    'operation_refused',
    `${name} v${id} is made from log generation ${generation}, but generation ${serving} serves; all read models move to another generation together, with "ledger-history import promote"`,
    { name, id, generation, serving },
  )
}
