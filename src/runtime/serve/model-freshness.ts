import { setTimeout as sleep } from 'node:timers/promises'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import type { ServedModel } from '#src/runtime/serve/served-model.ts'

/** An instance that is about to serve, and the one that it replaces. */
export interface Replacement {
  readonly model: ServedModel
  readonly before: ServedModel | undefined
}

const pollMs = 10

/**
 * Waits until no client would see time run backwards: until each new instance reflects at least what answers of the one
 * before may have reflected so far. Gives up after `waitMaxMs`, since an operator's decision counts for more.
 */
export async function untilAsFresh(replacements: () => readonly Replacement[], waitMaxMs: number): Promise<void> {
  const deadline = performance.now() + waitMaxMs
  for (;;) {
    await Promise.all(replacements().map(({ model }) => model.checkpoint()))
    const late = replacements().some(
      ({ model, before }) =>
        before !== undefined && (model.newestTime < before.newestTime || model.wholeTime < before.wholeTime),
    )
    if (!late || performance.now() >= deadline) return
    await sleep(pollMs)
  }
}

/** By name, for a log line. */
export function newestTimes(models: readonly ServedModel[]): Record<string, string> {
  return Object.fromEntries(models.map(({ name, newestTime }) => [name, formatLedgerTime(newestTime)]))
}
