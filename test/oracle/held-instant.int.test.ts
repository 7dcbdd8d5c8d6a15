import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allProjections } from '#projections/index.ts'
import { servedRoutes } from '#queries/index.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { decodeEvent } from '#src/events/codec.ts'
import { createApp } from '#src/http/app.ts'
import { defaultHttpSettings } from '#src/http/settings.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { BlockEnd, ReadStore, RowReader } from '#src/ports/read-store.ts'
import { logUpTo } from '#src/runtime/fold/log-prefix.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { Instant } from '#src/runtime/serve/instant.ts'
import type { ModelSource } from '#src/runtime/serve/served-models.ts'
import type { SimulatorOptions } from '#src/simulator/options.ts'
import { everyKind } from '#test/bench/every-kind.ts'
import type { ImportWorld } from '#test/importer/import-world.ts'
import { pathsOf, unique } from '#test/oracle/asked-paths.ts'
import { importNetwork } from '#test/oracle/imported-network.ts'
import { DescribedAnswers } from '#test/support/described-answers.ts'
import { fixedModels, versionsByName } from '#test/support/fixed-models.ts'

const seed = process.env['LEDGER_TEST_SEED'] ?? 'held'
const timeoutMs = 480_000
const { accounts, mix } = everyKind

/** Blocks in all, and the one that answers are as of. */
const networks: readonly (SimulatorOptions & { readonly blocks: number; readonly heldAt: bigint })[] = [
  { blocks: 40, heldAt: 24n, transactionsPerSecond: 60, dayBlocks: 5 },
  { blocks: 1_150, heldAt: 149n, transactionsPerSecond: 12, blockSeconds: 0.5, dayBlocks: 150 },
]

describe.each(networks)(
  `answers as of block $heldAt of $blocks of network "${seed}"`,
  ({ blocks, heldAt, ...options }) => {
    let world: ImportWorld
    const [behind, ahead] = [openSqliteReadStore({ folder: ':memory:' }), openSqliteReadStore({ folder: ':memory:' })]
    let end: BlockEnd
    let then: Service
    let paths: readonly string[]

    beforeAll(async () => {
      ;({ world } = await importNetwork({ seed, accounts, mix, ...options }, blocks))
      end = await endOf(heldAt, world)
      await fold(world, behind, end.position)
      await fold(world, ahead)
      then = await open({ behind: names })
      const now = await open({ behind: [] })
      const asked = async (service: Service) => pathsOf(async (path) => JSON.parse((await service.ask(path)).body))
      paths = unique([...(await asked(now)), ...(await asked(then))])
    }, timeoutMs)
    afterAll(async () => {
      await Promise.all([behind.close(), ahead.close(), world.log.close(), world.store.close()])
    })

    /** A service of which some read models are held at the block, and the others are at the end of the log. */
    async function open({ behind: held, asOf }: { readonly behind: readonly string[]; readonly asOf?: BlockEnd }) {
      const readers: Record<string, RowReader> = {}
      for (const { schema } of allProjections)
        readers[schema.name] = await (held.includes(schema.name) ? behind : ahead).openReader(schema)
      const instant = new Instant()
      if (asOf !== undefined) instant.advance({ generation: 1, ...asOf })
      return new Service(readers, instant)
    }

    it(
      'are the same whether or not the read models have gone on',
      async () => {
        const held = await open({ behind: [], asOf: end })
        const different = await differences(paths, then, held)
        const found = await statusesOf(paths, then)
        console.log(`${paths.length} requests, ${found.get(200)} of them answered with 200`)
        expect(found.get(200)).toBeGreaterThan(paths.length / 3)
        expect(different.shown).toEqual([])
      },
      timeoutMs,
    )

    it(
      'have the members that their schemas describe, and no others',
      async () => {
        const described = new DescribedAnswers(servedRoutes)
        const problems = new Set<string>()
        for (const path of paths) {
          const { status, body } = await then.ask(path)
          if (status === 200) for (const each of described.problemsOf(`/api/v1${path}`, body)) problems.add(each)
        }
        expect([...problems].slice(0, 10)).toEqual([])
      },
      timeoutMs,
    )

    it(
      'are so of each read model that is held there alone, and of those that join it, as their header says',
      async () => {
        let asked = 0
        for (const name of names) {
          const service = await open({ behind: [name], asOf: await endOf(BigInt(blocks - 1), world) })
          const own = paths.filter((path) => then.readsOf(path).includes(name))
          asked += own.length
          // Each that answers about the ledger is asked.
          expect({ name, asks: own.length > 0 }).toEqual({ name, asks: true })
          const { shown, times } = await differences(own, then, service)
          expect({ name, shown }).toEqual({ name, shown: [] })
          expect({ name, times }).toEqual({ name, times: [formatLedgerTime(end.time)] })
        }
        console.log(`${asked} requests of ${names.length} read models`)
      },
      timeoutMs,
    )
  },
)

const names = allProjections.map(({ schema }) => schema.name)

interface Answered {
  readonly status: number
  readonly body: string
  /** What it is as of, as its header says. */
  readonly time: unknown
}

/** The API on some readers. */
class Service {
  readonly #app: FastifyInstance
  #reads: readonly string[] = []
  readonly #answers = new Map<string, Answered & { readonly reads: readonly string[] }>()

  constructor(readers: Readonly<Record<string, RowReader>>, instant: Instant) {
    const models = fixedModels(readers, versionsByName(allProjections), instant)
    const noting: ModelSource = {
      use: (choices, work) => {
        this.#reads = Object.keys(choices[0] ?? {})
        return models.use(choices, work)
      },
    }
    this.#app = createApp({
      models: noting,
      routes: servedRoutes,
      settings: { ...defaultHttpSettings, docs: false, answerCacheBytesMax: 0 },
      clock: { now: () => 1_767_300_000_000 },
      logger: silentLogger,
      readiness: async () => ({ ready: true }),
    })
  }

  /** What it answered before: nothing moves. */
  async ask(path: string): Promise<Answered> {
    const known = this.#answers.get(path)
    if (known !== undefined) return known
    const { statusCode: status, body, headers } = await this.#app.inject(`/api/v1${path}`)
    const answered = { status, body, time: headers['ledger-consensus-timestamp'], reads: this.#reads }
    this.#answers.set(path, answered)
    return answered
  }

  /** Names of the read models that something asked before was answered from. */
  readsOf(path: string): readonly string[] {
    return this.#answers.get(path)?.reads ?? []
  }
}

interface Differences {
  /** The first of them. */
  readonly shown: readonly string[]
  /** What the answers of the other service are as of. */
  readonly times: readonly unknown[]
}

async function differences(paths: readonly string[], then: Service, other: Service): Promise<Differences> {
  const shown: string[] = []
  const times = new Set<unknown>()
  for (const path of paths) {
    const [expected, found] = [await then.ask(path), await other.ask(path)]
    times.add(found.time)
    const [before, now] = [expected, found].map(({ status, body }) => `${status} ${withoutNonces(body)}`)
    if (before !== now) shown.push(`${path}\n  then ${before!.slice(0, 700)}\n  held ${now!.slice(0, 700)}`)
  }
  return { shown: shown.slice(0, 10), times: [...times] }
}

async function statusesOf(paths: readonly string[], service: Service): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>()
  for (const path of paths) {
    const { status } = await service.ask(path)
    counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  return counts
}

/** They belong to no version of an account: whoever counts on from one wants the newest. */
function withoutNonces(body: string): string {
  return body.replaceAll(/"(ethereum_)?nonce":\d+/g, '')
}

async function fold({ log }: ImportWorld, store: ReadStore, upTo?: number): Promise<void> {
  const prefix = upTo === undefined ? log : logUpTo(log, upTo)
  await runProjections({ log: prefix, store, projections: allProjections, follow: false, strict: true })
}

async function endOf(number: bigint, world: ImportWorld): Promise<BlockEnd> {
  for (const record of await world.records())
    if (record.type === 'BlockRecorded' && decodeEvent({ ...record, type: 'BlockRecorded' }).number === number)
      return { position: record.sequence, time: record.time }
  throw new Error(`no block ${number}`)
}
