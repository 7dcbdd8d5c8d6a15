import { allProjections } from '#projections/index.ts'
import { type ImportFigures, readImportFigures } from '#src/cli/import-figures.ts'
import {
  damageOf,
  type ImportDeployment,
  lastKnownFigures,
  withLog,
  withSeenLog,
} from '#src/cli/importing/import-deployment.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { findFirstBlock } from '#src/importer/first-block.ts'
import { parseStreamFileName } from '#src/importer/record/file-name.ts'
import { promoteGeneration } from '#src/operations/decide.ts'
import {
  decisionsGeneration,
  instancesOf,
  type NamedInstance,
  type Plan,
  schemaOfInstance,
} from '#src/operations/plan.ts'
import { changePlan, readPlan } from '#src/operations/plan-store.ts'
import { rest } from '#src/ports/clock.ts'
import type { LogHead } from '#src/ports/message-log.ts'
import type { ProjectionSchema } from '#src/ports/read-store.ts'
import { assertWhole } from '#src/runtime/replay/promotable.ts'

/** Two importers follow the same source: one may be a moment behind the other, and so may what folds from it. */
const patienceMs = 10_000
const pollMs = 250

export interface PromotionWish {
  readonly generation: number
  readonly allowOlder: boolean
}

/**
 * Whether a log generation may serve: every read model has rows of it that are as fresh as the API must be, and it does not
 * begin after the serving one, nor end before it. Rejects with `operation_refused`, naming the next step. What may pass by itself is waited
 * for a moment.
 */
export async function assertPromotable(deployment: ImportDeployment, wish: PromotionWish): Promise<void> {
  const { stores, verb } = deployment
  const deadline = performance.now() + patienceMs
  for (;;) {
    const plan = await readPlan(stores.controlStore)
    // What the decision itself refuses does not pass by itself.
    const next = promoteGeneration(plan, wish.generation, new Date().toISOString())
    const reason = (await olderThanServing(deployment, plan, wish)) ?? (await behindItsLog(deployment, next, wish))
    if (reason === undefined) return
    if (performance.now() >= deadline || verb.signal.aborted) throw new LedgerError('operation_refused', reason)
    await rest(pollMs, verb.signal)
  }
}

/**
 * Reads all rows that would serve from then on. Those of a generation that has served before, which is the way back, are not: whoever goes back
 * has a reason that does not wait for this.
 */
export async function assertRowsWhole({ stores, verb }: ImportDeployment, generation: number): Promise<void> {
  const plan = await readPlan(stores.controlStore)
  if (plan.generations[generation]?.state !== 'writing') return
  const next = promoteGeneration(plan, generation, new Date().toISOString())
  const targets = instancesOf(next).filter((each) => each.serving && each.generation === generation)
  const { readStore: store, controlStore: control } = stores
  await assertWhole({ store, control, schemaOf: schemaOfTarget }, targets, verb.signal)
}

function schemaOfTarget({ name, version, build }: NamedInstance): ProjectionSchema {
  const projection = allProjections.find(({ schema }) => schema.name === name && schema.version === version)
  if (projection === undefined)
    throw new LedgerError(
      'version_unknown',
      `This code has no ${name} v${version}; run the verb with the release that has it`,
    )
  return schemaOfInstance(projection.schema, { build })
}

/** Resolves to the generation that served before. */
export async function switchGeneration(
  { stores }: Pick<ImportDeployment, 'stores'>,
  generation: number,
  reason: string | undefined,
): Promise<number> {
  let before = generation
  await changePlan(stores.controlStore, (plan) => {
    before = plan.generation
    const known = plan.generations[generation]
    const named =
      reason === undefined || known === undefined
        ? plan
        : { ...plan, generations: { ...plan.generations, [generation]: { ...known, reason } } }
    return promoteGeneration(named, generation, new Date().toISOString())
  })
  return before
}

async function olderThanServing(
  deployment: ImportDeployment,
  plan: Plan,
  { generation, allowOlder }: PromotionWish,
): Promise<string | undefined> {
  const target = await withSeenLog(deployment, generation, (log) =>
    readImportFigures({ log, store: deployment.stores.readStore, generation }),
  )
  if (target.lastBlock === undefined)
    return `Log generation ${generation} holds no block; write it with "ledger-history import republish"`
  if (allowOlder) return undefined
  await assertBeginsNoLater(deployment, plan.generation, generation)
  const serving = await lastKnownFigures(deployment, plan.generation)
  if (serving.lastBlock === undefined || target.lastBlock.time >= serving.lastBlock.time) return undefined
  // One that has served is not written to any more; going back to it means to catch up from where it was left.
  const isWritten = plan.generations[generation]?.state === 'writing'
  const step = isWritten ? 'bring it up with "ledger-history import republish", or accept' : 'accept'
  return (
    `Log generation ${generation} ends with ${blockText(target)}, before ${blockText(serving)} of generation ${plan.generation}; ` +
    `${step} older answers for a while with --allow-older`
  )
}

/** A start date that was still set when it was written would take history away. No wait helps. */
async function assertBeginsNoLater(deployment: ImportDeployment, from: number, to: number): Promise<void> {
  const before = await firstBlockOf(deployment, from, to)
  const after = await withLog(deployment, to, findFirstBlock)
  if (before === undefined || after === undefined || instantOf(after) <= instantOf(before)) return
  throw new LedgerError(
    'operation_refused',
    `Log generation ${to} begins with block ${after.number} (${after.name}), behind block ${before.number} (${before.name}) of generation ${from}; ` +
      `give it up with "ledger-history import prune ${to}" and write it without a start date, or accept the loss with --allow-older`,
  )
}

async function firstBlockOf(deployment: ImportDeployment, from: number, to: number) {
  try {
    return await withSeenLog(deployment, from, findFirstBlock)
  } catch (error) {
    const damage = damageOf(error)
    if (damage === undefined) throw error
    throw new LedgerError(
      'operation_refused',
      `Nobody can tell whether log generation ${to} begins with the first block of generation ${from}, which cannot be read any more; accept it with --allow-older once you have looked at its first block`,
      {},
      damage,
    )
  }
}

function instantOf({ name }: { readonly name: string }): bigint {
  return parseStreamFileName(name)?.instant ?? 0n
}

function blockText({ lastBlock }: ImportFigures): string {
  return lastBlock === undefined ? 'no block' : `block ${lastBlock.number} (${lastBlock.name})`
}

/** `next` is the plan as it would be: what would serve has to be close to its log. */
async function behindItsLog(
  deployment: ImportDeployment,
  next: Plan,
  { generation }: PromotionWish,
): Promise<string | undefined> {
  const head = await withLog(deployment, generation, (log) => log.head())
  for (const instance of instancesOf(next).filter((each) => each.serving && each.generation !== decisionsGeneration)) {
    const reason = await tooFarBehind(deployment, instance, head)
    if (reason !== undefined) return reason
  }
  return undefined
}

async function tooFarBehind(
  { stores, verb }: ImportDeployment,
  { name, id, version, build, generation }: NamedInstance,
  head: LogHead,
): Promise<string | undefined> {
  const { lagBudgetSeconds } = verb.config.api
  const projection = allProjections.find(({ schema }) => schema.name === name && schema.version === version)
  if (projection === undefined) return `This code has no ${name} v${version}; run the verb with the release that has it`
  const reader = await stores.readStore.openReader(schemaOfInstance(projection.schema, { build }))
  try {
    const { position = 0, time = 0n } = (await reader.checkpoint()) ?? {}
    const lagSeconds = head.time === undefined ? 0 : Number(head.time - time) / 1e9
    if (position >= head.sequence || lagSeconds <= lagBudgetSeconds) return undefined
    const behind = `${(head.sequence - position).toLocaleString('en-US')} events behind log generation ${generation}`
    return `${name} ${id} is ${behind}; wait until "ledger-history project" has brought it up, or run "ledger-history projections rebuild ${name} --generation ${generation}"`
  } finally {
    await reader.close()
  }
}
