import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allProjections } from '#projections/index.ts'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { openSqliteDecisionStore } from '#src/adapters/sqlite/decision-store.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { seenLogs } from '#src/cli/seen-log.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { systemClock } from '#src/ports/clock.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { RecordedDecision } from '#src/ports/decision-store.ts'
import { instanceName, type RowReader } from '#src/ports/read-store.ts'
import { scrubRows } from '#src/runtime/replay/scrub.ts'
import { runSimulator } from '#src/simulator/run.ts'
import { damage } from '#test/drill/damages.ts'
import { createRandom, seed } from '#test/drill/random.ts'
import { importAll, projectAll } from '#test/drill/role.ts'
import { compareRows, knowRows } from '#test/drill/store-rows.ts'
import { digestLog } from '#test/support/digest.ts'
import { enginesAt, type Place, withPlace } from '#test/support/place.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** All of them with LEDGER_TEST_STORE_DAMAGES=10000; a failing one is repeated with LEDGER_TEST_SEED and LEDGER_TEST_STORE_DAMAGES=1. */
const damages = Number(process.env['LEDGER_TEST_STORE_DAMAGES'] ?? 500)
const blocks = 40
const failuresShown = 20
const decisionsMade = 60
/** Of the damages; of lost rows, which are found by the next scrub. */
const lostShareMax = 0.01

/** What came of a damage: nobody was told anything else, somebody was told of it, or rows were left out until a scrub. */
type Outcome = 'harmless' | 'noticed when opened' | 'noticed when read' | 'lost, found by a scrub' | 'empty'

/** A file of a data folder. */
interface Part {
  readonly file: string
  /** Damages it and asks for all of it, before or after it was opened. Rejects where something is told that was never written. */
  suffer(inflict: () => void, isOpen: boolean): Promise<Outcome>
}

const noticed = new Set(['store_damaged', 'log_damaged', 'log_gap', 'log_lost', 'plan_lost', 'decisions_damaged'])

describe('a data folder', () => {
  let folder: { path: string; remove: () => Promise<void> }
  let place: Place
  let parts: readonly Part[]
  /** Files as they were left; what a killed process leaves beside them is damaged by another drill. */
  const whole = new Map<string, Buffer>()

  beforeAll(async () => {
    folder = await temporaryFolder()
    const network = join(folder.path, 'network')
    const options = {
      seed: 'damages',
      nodes: 1,
      transactionsPerSecond: 6,
      blockSeconds: 2,
      addressBookUpdateBlocks: 40,
    }
    await runSimulator({ folder: network, options, blocks, clock: systemClock })
    const source = { data: join(folder.path, 'source') }
    place = { data: join(folder.path, 'damaged') }
    await withPlace(source, async ({ controlStore }) => {
      await importAll({ network, place: source })
      await projectAll({ place: source, network })
      await controlStore.put('note', JSON.stringify({ text: 'x'.repeat(5_000) }), 0)
      await readLog(source)
      await decide(source)
    })
    cpSync(source.data, place.data, { recursive: true })
    parts = [...(await modelParts(place)), await logPart(place), await controlPart(place), await decisionsPart(place)]
    for (const { file } of parts) whole.set(file, readFileSync(join(place.data, file)))
  }, 120_000)

  afterAll(() => folder.remove())

  it(
    `tells nothing that was not written, ${damages} damages over (seed ${seed})`,
    async () => {
      const seen = new Map<string, number>()
      const failures: string[] = []
      for (let round = 0, done = 0; done + failures.length < damages; round++) {
        const random = createRandom(seed + round)
        const part = parts[Math.floor(random() * parts.length)]!
        const { file } = part
        let inflicted: ReturnType<typeof damage>
        const inflict = (): void => {
          inflicted = damage(place.data, [file], random)
        }
        const isOpen = random() < 0.5
        let outcome: Outcome
        try {
          outcome = await part.suffer(inflict, isOpen)
        } catch (error) {
          const what = `seed ${seed + round}, ${JSON.stringify(inflicted)}, ${isOpen ? 'open' : 'closed'}`
          failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
          continue
        } finally {
          restore(part)
        }
        if (inflicted === undefined) continue
        done++
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
      }
      const counts = JSON.stringify(Object.fromEntries(seen))
      process.stderr.write(`${damages} damages: ${counts}\n`)
      expect(failures.slice(0, failuresShown), counts).toEqual([])
      expect(seen.get('noticed when read'), counts).toBeGreaterThan(0)
      expect((seen.get('lost, found by a scrub') ?? 0) / damages, counts).toBeLessThan(lostShareMax)
    },
    Math.max(120_000, damages * 200),
  )

  function restore({ file }: Part): void {
    for (const rest of besides) rmSync(join(place.data, file + rest), { force: true })
    writeFileSync(join(place.data, file), whole.get(file)!)
  }
})

/** What a database keeps beside its file. */
const besides = ['-wal', '-shm'] as const

async function modelParts(place: Place): Promise<Part[]> {
  const folder = join(place.data, 'store')
  return Promise.all(
    allProjections.map(async ({ schema }) => {
      const store = openSqliteReadStore({ folder })
      const open = (): Promise<RowReader> => store.openReader(schema, { byTurns: true })
      const known = await withReader(open, (reader) => knowRows(reader, schema))
      const mark = await withReader(open, async (reader) => (await reader.origin?.())?.mark)
      const ask = async (reader: RowReader): Promise<Outcome> => {
        const origin = await reader.origin?.()
        if (origin?.mark !== mark) return 'noticed when opened'
        const verdict = await compareRows(reader, known)
        if (verdict === 'altered') throw new Error('a value was told that was never written')
        if (verdict === 'equal') return 'harmless'
        const scrubbed = await scrubRows({ store, schema })
        if (scrubbed?.damage === undefined) throw new Error('rows are lost, and a scrub does not see it')
        return 'lost, found by a scrub'
      }
      return {
        file: `store/${instanceName(schema)}.sqlite`,
        async suffer(inflict, isOpen) {
          if (!isOpen) {
            inflict()
            return withReader(open, (reader) => told(() => ask(reader)))
          }
          return withReader(open, async (reader) => {
            await compareRows(reader, known)
            inflict()
            const first = await told(() => ask(reader))
            // What it has in memory is as it was.
            return first === 'harmless' ? withReader(open, (another) => told(() => ask(another))) : first
          })
        },
      } satisfies Part
    }),
  )
}

async function withReader<T>(open: () => Promise<RowReader>, use: (reader: RowReader) => Promise<T>): Promise<T> {
  const reader = await open()
  try {
    return await use(reader)
  } finally {
    await reader.close()
  }
}

/** What asking came to, where an error that names damage is one. */
async function told(ask: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await ask()
  } catch (error) {
    if (isLedgerError(error) && noticed.has(error.code)) return 'noticed when read'
    throw error
  }
}

async function logPart(place: Place): Promise<Part> {
  const known = await readLog(place)
  return simplePart('log/log.sqlite', () => readLog(place), known)
}

async function controlPart(place: Place): Promise<Part> {
  const read = async (): Promise<string> => {
    const store = openSqliteControlStore({ folder: join(place.data, 'store') })
    try {
      return await documentsOf(store)
    } finally {
      await store.close()
    }
  }
  const known = await read()
  return simplePart('store/control.sqlite', read, known, '[null]')
}

async function documentsOf(store: ControlStore): Promise<string> {
  const single = await store.get('plan')
  return JSON.stringify([single, ...(await store.list(''))])
}

async function decisionsPart(place: Place): Promise<Part> {
  const read = async (): Promise<string> => {
    const store = openSqliteDecisionStore({ folder: join(place.data, 'decisions') })
    try {
      const all: RecordedDecision[] = []
      for await (const { events } of store.readAll({ after: 0, countMax: 100, follow: false })) all.push(...events)
      const each = await Promise.all(all.map(({ stream }) => store.readStream(stream)))
      return JSON.stringify([all, each])
    } finally {
      await store.close()
    }
  }
  const known = await read()
  return simplePart('decisions/decisions.sqlite', read, known, '[[],[]]')
}

/** `empty`: as one that was just made answers, which whoever knows of another one notices. */
function simplePart(file: string, read: () => Promise<string>, known: string, empty?: string): Part {
  return {
    file,
    async suffer(inflict) {
      inflict()
      return told(async () => {
        const now = await read()
        if (now === empty) return 'empty'
        expect(now).toBe(known)
        return 'harmless'
      })
    },
  }
}

/** As every process opens it. */
async function readLog(place: Place): Promise<string> {
  const engines = enginesAt(place)
  const stores = await engines.openStores()
  try {
    const log = await seenLogs(engines, () => stores.controlStore)(1)
    try {
      const { sequence, time } = await log.head()
      return `${sequence} ${time} ${await digestLog(log, sequence)}`
    } finally {
      await log.close()
    }
  } finally {
    await stores.close()
  }
}

async function decide(place: Place): Promise<void> {
  const store = openSqliteDecisionStore({ folder: join(place.data, 'decisions') })
  const metadata = {
    command_id: 'c',
    command_digest: 'd',
    actor: 'a',
    actor_role: 'operator',
    recorded_at: '',
    schema_version: 1,
  } as const
  for (let number = 0; number < decisionsMade; number++) {
    const data = { note: `decision ${number} `.repeat(20) }
    await store.append(`stream-${number}`, 'none', [{ id: `id-${number}`, type: 'Noted', data, metadata }])
  }
  await store.close()
}
