import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { blocksSchema } from '#projections/blocks/schema.ts'
import { enginesOf, type Stores } from '#src/cli/engines.ts'
import { loadConfig } from '#src/config/load.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { root } from '../../cli/support.ts'
import { Fleet } from './fleet.ts'
import { type Asked, askOne, Balancer, type LoadReport, startLoad } from './load.ts'
import { applyPage, commandsOf, readPage } from './page.ts'
import { copyRelease } from './release.ts'
import { Steps } from './steps.ts'
import { formatSwitches } from './switches.ts'
import { until } from './until.ts'

/** Answers may reflect the ledger as it was so long ago: a block is written every half second. */
const ageUsualSeconds = 30
/** Rows stand still while the projector restarts: on a machine that has other things to do, answers may be as old as so many restarts take. */
const ageMaxRestarts = 3
/** A switch takes less than a second; on a machine that has other things to do, now and then one takes longer. */
const switchUsualMs = 1_000
const switchMaxMs = 5_000
const clients = 6
const lastWordsMax = 10_000
const simulation =
  'ledger-history network simulate --out streams --paced --block-seconds 0.5 --transactions-per-second 40'
export const page = readPage('docs/how-to/change-a-read-model.md')

export interface DrillOptions {
  /** An empty folder. */
  readonly folder: string
  /** What the configuration file of the deployment says of its engines. */
  readonly settings: object
}

/**
 * Does what the page says: the processes that it lists run this release, the code that it shows becomes the next one, and its
 * commands are run one after the other, while clients ask all the time.
 */
export async function changeReadModel({ folder, settings }: DrillOptions): Promise<void> {
  const run = join(folder, 'run')
  const release = join(folder, 'release')
  mkdirSync(run)
  const text = JSON.stringify({ ...settings, data: join(run, 'data'), simulation: { accounts: 30 } })
  writeFileSync(join(run, 'ledger-history.json'), text)
  copyRelease(release, '0.2.0-drill')
  expect(applyPage(page, release)).toBe(5)
  const ports = [await freePort(), await freePort()]
  const fleet = new Fleet(run)
  // Also where the test runs out of time.
  onTestFinished(async () => {
    await fleet.stop('SIGKILL')
  })
  const stores = await openStores(run, text)
  try {
    await startProcesses(fleet, run, ports)
    const balancer = new Balancer(ports)
    const steps = new Steps({ page, stores, cwd: run, tree: release })
    const load = startLoad(balancer, await endpoints(balancer), clients)
    let report: LoadReport
    let restartSeconds: number
    try {
      await steps.runNext(/--dry-run/)
      restartSeconds = await rollOut(fleet, release, ports, balancer)
      await steps.runRest()
    } finally {
      report = await load.stop()
    }
    const logs = await fleet.stop('SIGTERM')
    // Whoever has to find out why requests failed needs what the processes said.
    if (report.failures.length > 0) console.log(logs.map((log) => log.slice(-lastWordsMax)).join('\n---\n'))
    expect(logs.join('')).not.toMatch(/"level":"error"/)
    judge(report, steps, balancer, Math.max(ageUsualSeconds, ageMaxRestarts * restartSeconds))
    const reader = await stores.readStore.openReader(blocksSchema)
    expect(await reader.checkpoint()).toBeUndefined()
    await reader.close()
  } finally {
    await stores.close()
  }
}

function openStores(run: string, text: string): Promise<Stores> {
  const { config } = loadConfig({ flags: {}, environment: {}, file: { name: 'ledger-history.json', text } })
  const data = join(run, 'data')
  return enginesOf(
    config,
    { log: join(data, 'log'), store: join(data, 'store'), decisions: join(data, 'decisions') },
    silentLogger,
  ).openStores()
}

/** Those that the page lists, on ports that are free here, behind a network that writes its files. */
async function startProcesses(fleet: Fleet, run: string, ports: readonly number[]): Promise<void> {
  fleet.start(simulation, root)
  await until(() => existsSync(join(run, 'streams', 'address-book.bin')))
  for (const command of commandsOf(page, 'processes')) {
    const program = fleet.start(onPorts(command, ports), root)
    if (command.includes('import run'))
      await fleet.verb(['import', 'status'], (ended) => /events +[1-9]/.test(ended.out))
    if (command.includes('serve')) await program.printed(/API of network/)
  }
  for (const port of ports)
    await until(async () => (await isReady(port)) && (await answersAll(port)) && (await isTogether(port)))
}

/** While some are filled or behind, each answers as of its own time, and what one has listed another may not know for a while. */
async function isTogether(port: number): Promise<boolean> {
  const { filling, leftOut } = JSON.parse((await askOne(port, '/health/readiness')).body) as {
    filling: string[]
    leftOut: string[]
  }
  return filling.length + leftOut.length === 0
}

/** Readiness leaves out what is filled for the first time. */
async function answersAll(port: number): Promise<boolean> {
  const answers = await Promise.all(['blocks', 'transactions'].map((name) => askOne(port, `/api/v1/${name}?limit=3`)))
  return answers.every(({ status }) => status === 200)
}

/**
 * Restarts with the new release, one process after the other; a query process only when nobody waits for it. Resolves to the
 * seconds that the slowest of these took until it answered.
 */
async function rollOut(fleet: Fleet, release: string, ports: readonly number[], balancer: Balancer): Promise<number> {
  let slowestMs = 0
  for (const command of commandsOf(page, 'deploy').map((each) => onPorts(each, ports))) {
    const port = Number(/--port (\d+)/.exec(command)?.[1])
    if (port > 0) await balancer.drain(port)
    const started = performance.now()
    const program = await fleet.replace(command, release)
    if (port > 0) {
      await program.printed(/API of network/)
      await until(() => isReady(port))
      balancer.add(port)
      slowestMs = Math.max(slowestMs, performance.now() - started)
    }
  }
  return slowestMs / 1_000
}

function judge({ answers, failures }: LoadReport, steps: Steps, balancer: Balancer, ageMaxSeconds: number): void {
  expect(failures).toEqual([])
  const ages = answers.map(({ ageSeconds }) => ageSeconds).sort((a, b) => a - b)
  expect(ages.at(-1)).toBeLessThan(ageMaxSeconds)
  expectEveryEndpoint(answers)
  const switches = steps.switches(answers)
  expect(switches).toHaveLength(3)
  const figures = switches.flatMap((each) =>
    each.figures.map((figure) => Math.max(figure.firstNewMs, figure.lastOldMs)),
  )
  figures.sort((a, b) => a - b)
  console.log(
    [
      `${answers.length} requests, ${failures.length} failed, ${balancer.retried} asked again elsewhere; answers ${ages[ages.length >> 1]!.toFixed(1)} s old, the oldest ${ages.at(-1)!.toFixed(1)} s`,
      ...switches.map((each) => formatSwitches(each.what, each.figures)),
    ].join('\n'),
  )
  expect(figures[figures.length >> 1]).toBeLessThan(switchUsualMs)
  expect(figures.at(-1)).toBeLessThan(switchMaxMs)
}

/** Both versions have answered every kind of request. */
function expectEveryEndpoint(answers: readonly Asked[]): void {
  const [current, next] = [blocksSchema.version, blocksSchema.version + 1].map(String) as [string, string]
  const blocks = answers.filter(({ path }) => path.startsWith('/api/v1/blocks'))
  const paths = (version: string) => new Set(blocks.filter((each) => each.version === version).map(({ path }) => path))
  expect(new Set(blocks.map(({ version }) => version))).toEqual(new Set([current, next]))
  expect(paths(next)).toEqual(paths(current))
}

/** All endpoints of the read model, and one of another, by turns. */
async function endpoints(balancer: Balancer): Promise<() => string> {
  const listed = await balancer.ask('/api/v1/blocks?limit=3')
  const { blocks } = JSON.parse(listed.body) as {
    blocks: { number: number; hash: string; timestamp: { from: string } }[]
  }
  balancer.known = listed.time
  const paths = blocks.flatMap(({ number, hash, timestamp }) => [
    '/api/v1/blocks?limit=25',
    `/api/v1/blocks/${number}`,
    `/api/v1/blocks/${hash}`,
    `/api/v1/blocks/${hash.slice(0, 66)}`,
    `/api/v1/blocks?block.number=gte:${number}&order=asc&limit=5`,
    `/api/v1/blocks?timestamp=gte:${timestamp.from}&limit=5`,
    '/api/v1/transactions?limit=5',
  ])
  let turn = 0
  return () => paths[turn++ % paths.length]!
}

/** The page's two ports stand for any two. */
function onPorts(command: string, [first, second]: readonly number[]): string {
  return command.replace(/\b5551\b/, String(first)).replace(/\b5552\b/, String(second))
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await askOne(port, '/health/readiness')).status === 200
  } catch {
    return false
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
