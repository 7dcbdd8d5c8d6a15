import { expect, it } from 'vitest'
import { importOrStandBy } from '#src/cli/importing/import-standby.ts'
import { ImportTotals } from '#src/cli/importing/import-totals.ts'
import { type ErrorCode, LedgerError } from '#src/domain/errors.ts'
import { type Logger, silentLogger } from '#src/ports/logger.ts'
import { enginesAt, inMemory } from '#test/support/place.ts'

/** An import that is told to stop, and whose last checkpoint fails; its warnings, once it has ended. */
async function stopsWith(code: ErrorCode): Promise<unknown[]> {
  const stop = new AbortController()
  const warnings: unknown[] = []
  const logger: Logger = { ...silentLogger, warn: (fields) => warnings.push(fields) }
  const attempt = async () => {
    stop.abort()
    throw new LedgerError(code, 'what the store said')
  }
  const engines = enginesAt({ data: inMemory })
  const stores = await engines.openStores()
  await importOrStandBy(attempt, {
    engines,
    totals: new ImportTotals({ observe: () => undefined, show: () => undefined, sources: () => undefined }),
    controlStore: async () => stores.controlStore,
    generation: () => 1,
    logger,
    signal: stop.signal,
    onStandby: () => undefined,
  }).finally(() => stores.close())
  return warnings
}

it('ends well when it finds only at its end that its store came back older', async () => {
  expect(await stopsWith('checkpoint_moved')).toEqual([{ code: 'checkpoint_moved', reason: 'what the store said' }])
})

it('fails when its last checkpoint fails for another reason', async () => {
  await expect(stopsWith('store_unavailable')).rejects.toThrow('what the store said')
})
