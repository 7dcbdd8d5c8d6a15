import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { freePorts } from '../../../scripts/services/ports.ts'
import { root, run } from '../../cli/support.ts'
import { ask } from '../asking.ts'
import { argumentsOf, Fleet } from '../read-model/fleet.ts'
import { Balancer, type LoadReport, startLoad } from '../read-model/load.ts'
import { commandsOf, readPage } from '../read-model/page.ts'
import { until } from '../read-model/until.ts'
import { askedPaths, inTurns } from './asked-paths.ts'
import { extractLastRelease } from './last-release.ts'

const simulation =
  'ledger-history network simulate --out streams --paced --block-seconds 0.5 --transactions-per-second 10 --accounts 20'
const importing = 'ledger-history import run'
const projecting = 'ledger-history project'
const clients = 2
/** What the new projector says of what the old one keeps. */
const untilPromoted = 'the version that serves is unknown to this code'

export interface UpgradeOptions {
  /** An empty folder. */
  readonly folder: string
  /** What the configuration file of the deployment says of its engines. */
  readonly settings: object
}

/** Commands of a page without what is said about them. */
export function printedCommands(mark: string): string[] {
  return commandsOf(readPage('docs/how-to/upgrade.md'), mark).map((line) => line.replace(/\s+#.*$/, ''))
}

/**
 * Does what the page on upgrades says of several processes: those of the last release run, the commands of this one are run beside
 * them, and requests move over, while clients ask all the time.
 */
export async function upgradeProcesses({ folder, settings }: UpgradeOptions): Promise<void> {
  const cwd = join(folder, 'run')
  const old = join(folder, 'old')
  mkdirSync(cwd)
  const text = JSON.stringify({ ...settings, data: join(cwd, 'data'), source: { location: 'streams' } })
  writeFileSync(join(cwd, 'ledger-history.json'), text)
  extractLastRelease(old)
  const [oldPort = 0, newPort = 0] = await freePorts(2)
  const before = new Fleet(cwd)
  const after = new Fleet(cwd)
  onTestFinished(async () => void (await Promise.all([before.stop('SIGKILL'), after.stop('SIGKILL')])))
  await startLastRelease(before, old, oldPort, cwd)

  const balancer = new Balancer([oldPort])
  const load = startLoad(balancer, inTurns(), clients)
  let report: LoadReport
  try {
    await moveOver({ before, after, balancer, oldPort, newPort, cwd })
  } finally {
    report = await load.stop()
  }
  const { failures, answers } = report
  expect(failures).toEqual([])
  const counts = [oldPort, newPort].map((port) => answers.filter((each) => each.port === port).length)
  console.log(
    `${answers.length} requests, none failed: ${counts[0]} answered before and ${counts[1]} after the upgrade`,
  )
  for (const port of [oldPort, newPort]) {
    const paths = new Set(answers.filter((each) => each.port === port).map(({ path }) => path))
    expect([...paths].sort(), `answered on port ${port}`).toEqual([...askedPaths].sort())
  }
  const said = (await after.stop('SIGTERM')).join('').split('\n')
  const errors = said.filter((line) => line.includes('"level":"error"') && !line.includes(untilPromoted))
  expect(errors).toEqual([])
}

/** As they were before anybody thought of an upgrade: all answer. */
async function startLastRelease(fleet: Fleet, old: string, port: number, cwd: string): Promise<void> {
  fleet.start(simulation, root)
  await until(() => existsSync(join(cwd, 'streams', 'address-book.bin')))
  fleet.start(importing, old)
  fleet.start(projecting, old)
  await fleet.start(`ledger-history serve --port ${port}`, old).printed(/API of network/)
  await answered(port)
}

async function answered(port: number): Promise<void> {
  await until(async () => {
    const answers = await Promise.all(askedPaths.map((path) => ask(port, path)))
    return answers.every(({ status }) => status === 200)
  })
}

interface Move {
  readonly before: Fleet
  readonly after: Fleet
  readonly balancer: Balancer
  readonly oldPort: number
  readonly newPort: number
  readonly cwd: string
}

async function moveOver({ before, after, balancer, oldPort, newPort, cwd }: Move): Promise<void> {
  const verb = async (command: string) => {
    const { code, out, err } = await run(argumentsOf(command), { cwd })
    expect(code, `${command}\n${err}`).toBe(0)
    return out
  }
  const [rebuild = '', project = '', serve = '', promote = '', importer = '', prune = ''] = printedCommands('several')
  expect(await verb('ledger-history projections status')).toMatch(/ \(0\.1\.0\) /)
  expect(await verb(rebuild)).toMatch(/transactions v4 .* built\n/)
  after.start(project, root)
  await after.start(serve.replace(/\d+$/, String(newPort)), root).printed(/API of network/)
  expect((await ask(newPort, '/health/readiness')).status).toBe(503)
  const promoted = await verb(promote)
  expect(promoted).toMatch(/^Promoted: .*transactions v4/)
  expect(promoted).toMatch(/^Left behind, with what served before: \S+ \(0\.1\.0\); stop it soon$/m)
  await answered(newPort)
  await until(async () => (await ask(newPort, '/health/readiness')).status === 200)
  expect((await ask(oldPort, '/health/readiness')).status, 'of those that are left behind').toBe(503)
  balancer.add(newPort)
  await balancer.drain(oldPort)
  after.start(importer, root)
  await before.end(['ledger-history serve --port', projecting, importing])
  const newest = async () => (JSON.parse((await ask(newPort, askedPaths[0])).body) as Blocks).blocks[0]!.number
  const reached = await newest()
  await until(async () => (await newest()) > reached + 2)
  expect(await verb(prune)).toMatch(/^Removed transactions v3;/m)
  expect(await verb('ledger-history projections status')).not.toMatch(/unknown to this code|\(0\.1\.0\)/)
}

interface Blocks {
  readonly blocks: readonly { readonly number: number }[]
}
