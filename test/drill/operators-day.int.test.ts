import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { freePorts } from '../../scripts/services/ports.ts'
import { root, run } from '../cli/support.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { answersAll, ask } from './asking.ts'
import { until } from './live.ts'
import { argumentsOf, Fleet } from './read-model/fleet.ts'
import { Balancer, type LoadReport, startLoad } from './read-model/load.ts'
import { askedPaths, inTurns } from './upgrade/asked-paths.ts'
import { addReadModel, extractLastRelease, retiredName, withoutLastRelease } from './upgrade/last-release.ts'

/** An operator's day in the length of a test; an hour with LEDGER_TEST_DAY_SECONDS=3600. */
const daySeconds = Number(process.env['LEDGER_TEST_DAY_SECONDS'] ?? 8)
const setupMs = 240_000
const clients = 1
const reason = withoutLastRelease === undefined ? '' : ` (${withoutLastRelease})`

const simulation =
  'ledger-history network simulate --out streams --paced --block-seconds 0.5 --transactions-per-second 10 --accounts 20'

interface Day {
  readonly cwd: string
  readonly fleet: Fleet
  readonly balancer: Balancer
  /** Of the last release and of this one. */
  readonly ports: readonly [number, number]
  readonly yesterday: string
}

/** Runs a verb of this release; what it said. */
async function verb({ cwd }: Pick<Day, 'cwd'>, command: string): Promise<string> {
  const { code, out, err } = await run(argumentsOf(command), { cwd })
  expect(code, `${command}\n${err}`).toBe(0)
  return out
}

async function newestBlock(port: number): Promise<number> {
  const { body } = await ask(port, askedPaths[0])
  return (JSON.parse(body) as { blocks: { number: number }[] }).blocks[0]!.number
}

/** Where the day begins: the last release, with a read model that no later one has, follows a network. */
async function morning({ cwd, fleet, ports, yesterday }: Day): Promise<void> {
  extractLastRelease(yesterday)
  addReadModel(yesterday)
  fleet.start(simulation, root)
  await until('the network begins', () => existsSync(join(cwd, 'streams', 'address-book.bin')))
  fleet.start(`ledger-history start --source streams --data before --port ${ports[0]}`, yesterday)
  await until('the last release answers', () => answersAll(ports[0], askedPaths))
}

/** A backup while all is asked, restored into a second folder, from which the next release takes over. */
async function upgradeOnCopy(day: Day): Promise<void> {
  const { cwd, fleet, balancer, ports } = day
  expect(await verb(day, 'ledger-history backup backup --data before')).toMatch(/all of it was read and holds/)
  expect(await verb(day, 'ledger-history restore backup --dry-run')).not.toBe('')
  expect(await verb(day, 'ledger-history restore backup --data after')).toMatch(/^Restored [\d,]+ events/)
  await verb(day, 'ledger-history projections rebuild --all --data after')
  expect(await verb(day, 'ledger-history projections promote --all --data after')).toMatch(
    /^Promoted: .*transactions v4/,
  )
  fleet.start(`ledger-history start --source streams --data after --port ${ports[1]}`, root)
  await until('this release answers', () => answersAll(ports[1], askedPaths))
  await until('it has what came since', async () => (await newestBlock(ports[1])) >= (await newestBlock(ports[0])))
  balancer.add(ports[1])
  await balancer.drain(ports[0])
  await fleet.end(['ledger-history start --source streams --data before'])
  expect(existsSync(join(cwd, 'after', 'store', `${retiredName}@1.sqlite`))).toBe(true)
}

async function tidyUp(day: Day): Promise<void> {
  const { cwd } = day
  expect(await verb(day, 'ledger-history projections prune --all --data after')).toMatch(/^Removed transactions v3;/m)
  expect(await verb(day, `ledger-history projections retire ${retiredName} --data after`)).toMatch(
    new RegExp(`^Retired ${retiredName}: removed ${retiredName} v1`),
  )
  expect(existsSync(join(cwd, 'after', 'store', `${retiredName}@1.sqlite`))).toBe(false)
  const status = await verb(day, 'ledger-history projections status --data after')
  expect(status).not.toMatch(new RegExp(`unknown to this code|${retiredName}`))
}

/** What the folder is worth where the one that serves is lost: its answers, up to its last block. */
async function tryNewestBackup(day: Day): Promise<void> {
  const { fleet, ports } = day
  expect(await verb(day, 'ledger-history backup backup-after --data after')).toMatch(/all of it was read and holds/)
  await verb(day, 'ledger-history restore backup-after --data tried')
  expect(await verb(day, 'ledger-history projections verify balances --data tried')).toMatch(/all equal/)
  const [port = 0] = await freePorts(1)
  fleet.start(`ledger-history serve --data tried --port ${port}`, root)
  await until('what was restored answers', () => answersAll(port, askedPaths))
  const newest = await newestBlock(port)
  const path = `/api/v1/blocks?block.number=lte:${newest}&limit=100`
  expect((await ask(port, path)).body).toBe((await ask(ports[1], path)).body)
  await fleet.end(['ledger-history serve --data tried'])
}

function judge({ answers, failures }: LoadReport, ports: Day['ports']): void {
  expect(failures).toEqual([])
  const counts = ports.map((port) => answers.filter((each) => each.port === port).length)
  const slowest = answers.reduce((most, { beganAt, endedAt }) => Math.max(most, endedAt - beganAt), 0)
  console.log(
    `${answers.length} requests in the day, none failed: ${counts.join(' and ')} of the two releases; slowest answer ${slowest} ms`,
  )
  for (const port of ports) {
    const paths = new Set(answers.filter((each) => each.port === port).map(({ path }) => path))
    expect(paths.size, `paths answered on port ${port}`).toBe(askedPaths.length)
  }
}

it.skipIf(withoutLastRelease !== undefined)(
  `a day of an operator, with a backup, an upgrade on a restored copy and a read model that is retired, fails no request${reason}`,
  async () => {
    const { path: cwd, remove } = await temporaryFolder()
    const fleet = new Fleet(cwd)
    onTestFinished(async () => {
      await fleet.stop('SIGKILL')
      await remove()
    })
    const [first = 0, second = 0] = await freePorts(2)
    const ports = [first, second] as const
    const day: Day = { cwd, fleet, ports, balancer: new Balancer([first]), yesterday: join(cwd, 'yesterday') }
    await morning(day)
    const load = startLoad(day.balancer, inTurns(), clients)
    /** A quarter of what there is of the day besides the work. */
    const rest = () => sleep((daySeconds * 1_000) / 4)
    let report: LoadReport
    try {
      await rest()
      await upgradeOnCopy(day)
      await rest()
      await tidyUp(day)
      await rest()
      await tryNewestBackup(day)
      await rest()
    } finally {
      report = await load.stop()
    }
    judge(report, ports)
    for (const said of await fleet.stop('SIGTERM')) expect(said).not.toMatch(/"level":"error"/)
  },
  setupMs + daySeconds * 1_000,
)
