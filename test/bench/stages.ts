import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { allProjections } from '#projections/index.ts'
import { openFolderSource } from '#src/adapters/folder/folder-source.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { type DataFolder, openDataFolder } from '#src/cli/data-folder.ts'
import { roleHeaps } from '#src/cli/roles/role.ts'
import type { CopyName } from '#src/events/event-types.ts'
import { runImporter } from '#src/importer/importer.ts'
import { systemClock } from '#src/ports/clock.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import { logUpTo } from '#src/runtime/fold/log-prefix.ts'
import { projectionOfInstance } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { resourceLimitsOf, setEngineFlags } from '#src/runtime/process/threads.ts'
import { superviseProjections } from '#src/runtime/replay/supervisor.ts'
import type { Mix, StreamForm } from '#src/simulator/resolved-options.ts'
import { blockEvents } from '#test/bench/blocks/events.ts'
import { blockMemory, type LargeBlock } from '#test/bench/blocks/memory.ts'
import { blockProofs, type ProofOptions } from '#test/bench/blocks/proofs.ts'
import { blockRefusals } from '#test/bench/blocks/refusals.ts'
import { copyLog } from '#test/bench/copies.ts'
import { forgetfulLog } from '#test/bench/forgetful-log.ts'
import { generate, networkFolder } from '#test/bench/generate.ts'
import { searchLists, writeLists } from '#test/bench/lists.ts'
import { configOf, enginesAt, flagsOf, type Place } from '#test/support/place.ts'

/** What a stage is given; all paths absolute. */
export interface StageOptions {
  readonly folder: string
  readonly transactions: number
  readonly accounts: number
  readonly blockTransactions: number
  /** What the transactions are; mostly payments unless given. */
  readonly mix?: Mix
  /** In which form they are written; as record files unless given. */
  readonly stream?: StreamForm
  readonly projection?: string
  /** Subjects that are copied; all unless given. */
  readonly copies?: readonly CopyName[]
  /** Which build of the read models; the first unless given. */
  readonly build?: number
  /** Engines; embedded ones in a folder per stage unless given. */
  readonly place?: Place
  /** Fold only so many events; all unless given. */
  readonly eventsMax?: number
  /** Names of the read models of each projector thread; all on one unless given. */
  readonly lanes?: readonly (readonly string[])[]
  /** Of the stage that checks proofs of blocks. */
  readonly proofs?: ProofOptions
  /** Of the stage that imports one block. */
  readonly large?: LargeBlock
  /** Blocks per append of the importer; its default unless given. */
  readonly appendBlocksMax?: number
}

/** What it reports: units done in the time measured, without start-up. */
export interface StageResult {
  readonly count: number
  readonly seconds: number
  /** Units done in the time up to each mark, to see whether the rate falls. */
  readonly marks?: readonly { readonly count: number; readonly seconds: number }[]
  readonly note?: string
  /** CPU time of what is measured, where the process does much besides. */
  readonly cpuSeconds?: number
  /** Of what came out, to be compared with another run's. */
  readonly digest?: string
  /** Most memory of the process that is measured, where that is another one, MiB. */
  readonly peakMiB?: number
  /** Most reads of a store that one unit took. */
  readonly readsMax?: number
}

const network = 'bench'

/** Made as the command line makes it, so that `serve` can open it. */
const dataFolder = (options: StageOptions, name = 'data'): DataFolder =>
  openDataFolder(join(options.folder, name), network)

/** Where a stage works; marked as the command line marks it. */
function placeOf(options: StageOptions, name: string): Place {
  const place = options.place ?? { data: join(options.folder, name) }
  if (!place.kafka || !place.mongodb) openDataFolder(place.data, network)
  return place
}

/** The same, without what an earlier run left in the folder: that would count as done by this one. */
function emptyPlaceOf(options: StageOptions, name: string): Place {
  if (options.place === undefined) rmSync(join(options.folder, name), { recursive: true, force: true })
  return placeOf(options, name)
}

const importInto = (log: MessageLog, options: StageOptions, storeFolder: string): Promise<StageResult> =>
  importWith(log, openSqliteReadStore({ folder: storeFolder }), options)

async function importWith(log: MessageLog, store: ReadStore, options: StageOptions): Promise<StageResult> {
  const { appendBlocksMax } = options
  const started = performance.now()
  const summary = await runImporter({
    source: openFolderSource({ folder: networkFolder(options) }),
    log,
    store,
    clock: systemClock,
    logger: silentLogger,
    settings: {
      network,
      once: true,
      pathType: 'ACCOUNT_ID',
      addressBook: await readFile(join(networkFolder(options), 'address-book.bin')),
      sidecarTypes: new Set([1, 2, 3]),
      ...(appendBlocksMax !== undefined && { appendBlocksMax }),
    },
  })
  return { count: summary.transactions, seconds: secondsSince(started) }
}

const verify = (options: StageOptions): Promise<StageResult> => importInto(forgetfulLog(), options, ':memory:')

async function importOnly(options: StageOptions): Promise<StageResult> {
  const place = emptyPlaceOf(options, 'data')
  const stores = await enginesAt(place).openStores()
  const log = await enginesAt(place).openLog(1, 'write')
  try {
    return await importWith(log, stores.readStore, options)
  } finally {
    await log.close()
    await stores.close()
  }
}

/** Appends what another log holds: publishing alone. */
async function publish(options: StageOptions): Promise<StageResult> {
  const source = openSqliteLog({ folder: dataFolder(options).log })
  const target = await enginesAt(emptyPlaceOf(options, 'copy')).openLog(1, 'write')
  const writer = await target.openWriter()
  let seconds = 0
  let count = 0
  for await (const { records } of source.read({ after: 0, countMax: 8_000, bytesMax: 8 << 20, follow: false })) {
    const started = performance.now()
    await writer.append([records])
    seconds += secondsSince(started)
    count += records.length
  }
  await writer.close()
  await target.close()
  return { count, seconds }
}

/** Copies subjects of the log to topics of their own. */
const copy = (options: StageOptions): Promise<StageResult> =>
  copyLog(placeOf(options, 'data'), emptyPlaceOf(options, 'copies'), options.copies)

/** Builds projections anew from the log: one by name, or all. */
async function project(options: StageOptions): Promise<StageResult> {
  const { build = 1 } = options
  const projections = allProjections
    .filter(({ schema }) => options.projection === undefined || schema.name === options.projection)
    .map((projection) => projectionOfInstance(projection, { build }))
  const stores = await enginesAt(emptyPlaceOf(options, `rebuilt-${options.projection ?? 'all'}`)).openStores()
  const log = await openBoundedLog(options)
  const started = performance.now()
  const marks: { count: number; seconds: number }[] = []
  await runProjections({
    log,
    store: stores.readStore,
    projections,
    follow: false,
    strict: true,
    limits: configOf(flagsOf(placeOf(options, 'data'))).projection,
    onProgress: ({ name, position }) => {
      if (name === projections[0]?.schema.name) marks.push({ count: position, seconds: secondsSince(started) })
    },
  })
  const seconds = secondsSince(started)
  const count = (await log.head()).sequence
  await log.close()
  await stores.close()
  return { count, seconds, marks }
}

/** The same for all, as a process of the product does it: by a plan, each read model with an owner, progress told. */
async function supervise(options: StageOptions): Promise<StageResult> {
  const stores = await enginesAt(emptyPlaceOf(options, 'supervised')).openStores()
  const started = performance.now()
  let count = 0
  await superviseProjections({
    control: stores.controlStore,
    store: stores.readStore,
    openLog: () => openBoundedLog(options),
    projections: allProjections,
    signal: new AbortController().signal,
    finish: AbortSignal.abort(),
    logger: silentLogger,
    limits: configOf(flagsOf(placeOf(options, 'data'))).projection,
    onProgress: ({ position }) => {
      count = Math.max(count, position)
    },
  }).ended
  const seconds = secondsSince(started)
  await stores.close()
  return { count, seconds }
}

/** The log of the stage's place, up to as many events as are wanted. */
async function openBoundedLog(options: StageOptions): Promise<MessageLog> {
  const log = await enginesAt(placeOf(options, 'data')).openLog(1)
  const { eventsMax } = options
  return eventsMax === undefined ? log : { ...logUpTo(log, eventsMax), close: () => log.close() }
}

/** Importer and each lane of the projector on threads of their own, as the product runs them, until everything is queryable. */
async function together(options: StageOptions): Promise<StageResult> {
  emptyPlaceOf(options, 'together')
  const { log, store } = dataFolder(options, 'together')
  const workerData = { ...options, log, store }
  const lanes = options.lanes ?? [allProjections.map(({ schema }) => schema.name)]
  const started = performance.now()
  const marks: { count: number; seconds: number }[] = []
  const importer = startWorker('import', workerData)
  const projectors = lanes.map((only) =>
    startWorker('project', { ...workerData, only }, (position) =>
      marks.push({ count: position, seconds: secondsSince(started) }),
    ),
  )
  const count = await importer.done
  for (const { worker } of projectors) worker.postMessage('finish')
  await Promise.all(projectors.map(({ done }) => done))
  return { count, seconds: secondsSince(started), marks }
}

function startWorker(
  role: 'import' | 'project',
  workerData: object,
  onMark?: (position: number) => void,
): { worker: Worker; done: Promise<number> } {
  setEngineFlags()
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { ...workerData, role },
    resourceLimits: resourceLimitsOf(roleHeaps[role]),
  })
  const done = new Promise<number>((resolve, reject) => {
    let count = 0
    worker.on('message', (message: { position?: number; count?: number }) => {
      if (message.position !== undefined) onMark?.(message.position)
      if (message.count !== undefined) count = message.count
    })
    worker.on('error', reject)
    worker.on('exit', (code) =>
      code === 0 ? resolve(count) : reject(new Error(`the ${role} thread ended with ${code}`)),
    )
  })
  return { worker, done }
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1_000
}

export const stages = {
  generate,
  verify,
  import: importOnly,
  publish,
  copy,
  project,
  supervise,
  together,
  'block-events': blockEvents,
  'block-proofs': blockProofs,
  'block-memory': blockMemory,
  'block-refusals': blockRefusals,
  'write-lists': writeLists,
  'search-lists': searchLists,
} as const
export type StageName = keyof typeof stages
export { importInto }
