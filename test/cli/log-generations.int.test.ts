import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { keptProjections } from '#projections/index.ts'
import {
  chainOf,
  eachDeployment,
  giveLateMirrorItsHistory,
  importing,
  type TestDeployment,
} from '#test/cli/late-mirror.ts'
import { until } from '#test/importer/import-world.ts'
import { digestLog } from '#test/support/digest.ts'
import { versioned } from '#test/support/read-model-versions.ts'

let folder: string
let deployment: TestDeployment

eachDeployment((begun) => {
  deployment = begun
  folder = begun.folder
})

async function digest(generation: number): Promise<unknown> {
  const log = await deployment.engines.openLog(generation)
  const { sequence } = await log.head()
  const result = { sequence, digest: await digestLog(log, sequence) }
  await log.close()
  return result
}

describe('a mirror that began late', () => {
  it('gets the history before its start in a new log generation, while importer, projector and API go on', async () => {
    await giveLateMirrorItsHistory(deployment, 'log/g2')
    expect(existsSync(join(folder, 'data', 'log', 'log.sqlite'))).toBe(false)
  }, 240_000)
})

describe('a republish', () => {
  it('goes on where it was after a kill, and leaves the serving log as it was', async () => {
    deployment.writeFiles(chainOf(150))
    await deployment.succeed(...importing, '--once')
    const before = await digest(1)
    const again = ['import', 'republish', '--source', 'streams', '--once']
    const killed = deployment.begin(...again)
    await killed.printed(/Writing log generation 2/)
    await until(async () => existsSync(join(folder, 'data', 'log', 'g2')) && (await deployment.headOf(2)) > 3)
    expect((await killed.stop('SIGKILL')).code, 'it was killed, and did not end before').toBeNull()

    expect(await deployment.run('import', 'promote', '2')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/generation 2 ends with block .*; bring it up with "ledger-history import republish"/),
    })
    const finished = await deployment.succeed(...again)
    expect(finished).toMatch(/^Going on with log generation 2, .*g2\n.*Next:\n {2}ledger-history import promote 2\n/s)
    expect(await digest(2)).toEqual(before)
    expect(await digest(1)).toEqual(before)
  }, 120_000)

  it('says with --dry-run what it would do, and needs something to write anew', async () => {
    deployment.writeFiles(chainOf(1))
    await deployment.succeed(...importing, '--once')
    const tried = await deployment.succeed('import', 'republish', '--dry-run', '--source', 'streams')
    expect(tried).toMatch(
      /^Would write log generation 2, .*g2, from .*streams\nThe serving generation 1 has 1 block and stays as it is\n$/,
    )
    expect(existsSync(join(folder, 'data', 'log', 'g2'))).toBe(false)
  }, 60_000)
})

describe('a promotion of a log generation', () => {
  it('is refused where a row that would serve from then on is not as it was written', async () => {
    deployment.writeFiles(chainOf(5))
    await deployment.succeed(...importing, '--once')
    await deployment.succeed('project', '--once')
    await deployment.succeed('import', 'republish', '--once', '--source', 'streams')
    const names = [
      ...new Set(keptProjections.filter(({ source }) => source !== 'decisions').map(({ schema }) => schema.name)),
    ]
    await deployment.succeed('projections', 'rebuild', ...names, '--generation', '2')
    expect(await deployment.succeed('import', 'promote', '2', '--dry-run')).toBe('Log generation 2 can be promoted\n')

    const database = new DatabaseSync(join(folder, 'data', 'store', versioned('blocks@N.2.sqlite')))
    database.exec(`UPDATE blocks SET name = name || 'x' WHERE number = (SELECT min(number) FROM blocks)`)
    database.close()
    for (const flags of [['--dry-run'], []])
      expect(await deployment.run('import', 'promote', '2', ...flags)).toMatchObject({
        code: 1,
        err: expect.stringMatching(versioned(/blocks@N\.2\.sqlite is damaged: .*projections rebuild/)),
      })
    expect(JSON.parse(await deployment.succeed('import', 'status', '--json')).generations).toMatchObject([
      { generation: 1, state: 'serving' },
      { generation: 2 },
    ])
  }, 120_000)
})

describe('two importers', () => {
  it('share one data folder: the second says that it stands by, and takes over', async () => {
    const files = chainOf(3)
    const blocksAre = (count: number) => until(async () => (await deployment.headOf(1)) === 3 + 2 * count)
    deployment.writeFiles(files.slice(0, 1))
    const one = deployment.begin(...importing)
    await until(() => existsSync(join(folder, 'data', 'log', 'log.sqlite')))
    await blocksAre(1)
    const other = deployment.begin(...importing)
    await until(() => other.err.includes('another importer is at work; this one stands by'))
    expect(other.err).toMatch(new RegExp(`process ${one.child.pid} on `))
    deployment.writeFiles(files.slice(1, 2))
    await blocksAre(2)
    await one.stop('SIGKILL')
    deployment.writeFiles(files.slice(2))
    await blocksAre(3)
    const refused = await deployment.run(...importing, '--once')
    expect(refused).toMatchObject({ code: 75, err: expect.stringMatching(/\[owner_busy\]|\[log_writer_busy\]/) })
    expect((await other.stop()).code).toBe(0)
  }, 120_000)
})
