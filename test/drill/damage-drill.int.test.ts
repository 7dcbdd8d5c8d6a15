import { cpSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allProjections } from '#projections/index.ts'
import { openFolderSource } from '#src/adapters/folder/folder-source.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { seenLogs } from '#src/cli/seen-log.ts'
import { isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import { runImporter } from '#src/importer/importer.ts'
import { systemClock } from '#src/ports/clock.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import { projectionOfInstance } from '#src/runtime/fold/projection.ts'
import { rebuildProjection } from '#src/runtime/replay/rebuild.ts'
import { verifyRows } from '#src/runtime/replay/verify.ts'
import { runSimulator } from '#src/simulator/run.ts'
import { damage } from '#test/drill/damages.ts'
import { drillNetwork } from '#test/drill/place.ts'
import { createRandom, seed } from '#test/drill/random.ts'
import { importAll, projectAll } from '#test/drill/role.ts'
import { digestLog, digestRows } from '#test/support/digest.ts'
import { enginesAt, type Place, withPlace } from '#test/support/place.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** More with LEDGER_TEST_DAMAGES=1000; a failing one is repeated with LEDGER_TEST_SEED and LEDGER_TEST_DAMAGES=1. */
const damages = Number(process.env['LEDGER_TEST_DAMAGES'] ?? 12)
const blocks = 60

const modelFiles = allProjections.map(({ schema }) => `store/${schema.name}@${schema.version}.sqlite`)
const logFiles = ['log/log.sqlite', 'log/log.sqlite-wal']
/** The log is the truth, so it is hit as often as all others together. */
const victims = [...logFiles, ...logFiles, ...modelFiles, ...modelFiles.map((file) => `${file}-wal`)]

interface Digests {
  readonly log: string
  readonly rows: Readonly<Record<string, object>>
}

describe('damage', () => {
  let folder: { path: string; remove: () => Promise<void> }
  let network: string
  /** As a killed process leaves it, with journals beside the files. */
  let killed: string
  let undisturbed: Digests

  beforeAll(async () => {
    folder = await temporaryFolder()
    network = join(folder.path, 'network')
    const options = { seed: 'damage', nodes: 1, transactionsPerSecond: 8, blockSeconds: 2, addressBookUpdateBlocks: 40 }
    await runSimulator({ folder: network, options, blocks, clock: systemClock })
    const place = { data: join(folder.path, 'source') }
    killed = join(folder.path, 'killed')
    await withPlace(place, async (open) => {
      await importAll({ network, place })
      await projectAll({ place, network })
      await withLog(place, 1, logDigest)
      undisturbed = { log: await logDigest(open.log), rows: await rowDigests(open.readStore, 1) }
      cpSync(place.data, killed, { recursive: true })
    })
  }, 120_000)

  afterAll(() => folder.remove())

  it(
    `never shows, and is repaired by what its message names, ${damages} times over (seed ${seed})`,
    async () => {
      const seen = new Map<string, number>()
      for (let round = 0, done = 0; done < damages; round++) {
        const data = join(folder.path, `round-${round}`)
        cpSync(killed, data, { recursive: true })
        const inflicted = damage(data, victims, createRandom(seed + round))
        if (inflicted !== undefined) {
          done++
          const label = `seed ${seed + round}: ${inflicted.kind} ${inflicted.file}`
          const noticed = await noticeAndRepair({ data }, label)
          seen.set(noticed, (seen.get(noticed) ?? 0) + 1)
        }
        rmSync(data, { recursive: true, force: true })
      }
      // Nothing but harmless damage would mean that the drill hits nothing.
      expect(
        [...seen.keys()].filter((each) => each !== 'harmless'),
        JSON.stringify([...seen]),
      ).not.toEqual([])
    },
    Math.max(240_000, damages * 6_000),
  )

  /** What told of the damage; every reader either gives what was written, or says so. */
  async function noticeAndRepair(place: Place, label: string): Promise<string> {
    const log = await withLog(place, 1, logDigest)
    if (isLedgerError(log)) {
      expect(['log_damaged', 'log_gap', 'log_lost'], `${label}: ${log.message}`).toContain(log.code)
      expect(log.message, label).toMatch(/import republish|import it again/)
      expect(await writeNewGeneration(place), label).toEqual(undisturbed)
      return log.code
    }
    expect(log, label).toBe(undisturbed.log)
    return repairRows(place, label)
  }

  async function repairRows(place: Place, label: string): Promise<string> {
    const verdict = await verifyAll(place)
    if (verdict === 'as folded') {
      expect(await withPlace(place, ({ readStore }) => rowDigests(readStore, 1)), label).toEqual(undisturbed.rows)
      return 'harmless'
    }
    if (isLedgerError(verdict, 'store_damaged')) {
      const file = String(verdict.details['file'])
      expect(verdict.message, label).toContain(`remove ${file} with its -wal and -shm`)
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
      await projectAll({ place, network })
      expect(await withPlace(place, ({ readStore }) => rowDigests(readStore, 1)), label).toEqual(undisturbed.rows)
      return verdict.code
    }
    expect(await rebuildAll(place, 1), label).toEqual(undisturbed.rows)
    return isLedgerError(verdict) ? verdict.code : verdict
  }

  /** As `projections verify` finds the rows of every read model. */
  async function verifyAll(place: Place): Promise<LedgerError | string> {
    return withPlace(place, async ({ log, readStore: store }) => {
      for (const projection of allProjections) {
        const scratch = openSqliteReadStore({ folder: ':memory:' })
        try {
          const { sequence } = await log.head()
          const options = { log, store, projection, scratch, logger: silentLogger }
          const { difference, position } = await verifyRows(options)
          if (difference) return 'rows differ'
          if (position < sequence) return 'behind the log'
        } catch (error) {
          if (isLedgerError(error)) return error
          throw error
        } finally {
          await scratch.close()
        }
      }
      return 'as folded'
    }).catch((error: unknown) => {
      if (isLedgerError(error)) return error
      throw error
    })
  }

  /** As `projections rebuild`: the second build, beside the first. */
  async function rebuildAll(place: Place, generation: number): Promise<object> {
    const engines = enginesAt(place)
    const stores = await engines.openStores()
    const log = await engines.openLog(generation)
    try {
      for (const each of allProjections) {
        const projection = projectionOfInstance(each, { build: 2 })
        await rebuildProjection({ log, store: stores.readStore, projection, logger: silentLogger })
      }
      return await rowDigests(stores.readStore, 2)
    } finally {
      await log.close()
      await stores.close()
    }
  }

  /** As `import republish` and `projections rebuild --generation 2`. */
  async function writeNewGeneration(place: Place): Promise<Digests> {
    const engines = enginesAt(place)
    const stores = await engines.openStores()
    const log = await engines.openLog(2, 'write')
    try {
      await runImporter({
        source: openFolderSource({ folder: network }),
        log,
        store: stores.readStore,
        generation: 2,
        clock: systemClock,
        logger: silentLogger,
        settings: {
          network: drillNetwork,
          once: true,
          pathType: 'ACCOUNT_ID',
          addressBook: await readFile(join(network, 'address-book.bin')),
          sidecarTypes: new Set([1, 2, 3]),
        },
      })
      return { log: await logDigest(log), rows: (await rebuildAll(place, 2)) as Digests['rows'] }
    } finally {
      await log.close()
      await stores.close()
    }
  }
})

/** The log as every process opens it; what it says when it cannot be used. */
async function withLog(
  place: Place,
  generation: number,
  use: (log: MessageLog) => Promise<string>,
): Promise<string | LedgerError> {
  const engines = enginesAt(place)
  const stores = await engines.openStores()
  try {
    const log = await seenLogs(engines, () => stores.controlStore)(generation)
    try {
      return await use(log)
    } finally {
      await log.close()
    }
  } catch (error) {
    if (isLedgerError(error)) return error
    throw error
  } finally {
    await stores.close()
  }
}

async function logDigest(log: MessageLog): Promise<string> {
  const { sequence, time } = await log.head()
  return `${sequence} ${time} ${await digestLog(log, sequence)}`
}

async function rowDigests(store: ReadStore, build: number): Promise<Record<string, object>> {
  const digests: Record<string, object> = {}
  for (const projection of allProjections) {
    const { schema } = projectionOfInstance(projection, { build })
    const reader = await store.openReader(schema)
    try {
      digests[schema.name] = { checkpoint: await reader.checkpoint(), ...(await digestRows(reader, schema)) }
    } finally {
      await reader.close()
    }
  }
  return digests
}
