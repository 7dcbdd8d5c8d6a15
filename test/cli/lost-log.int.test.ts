import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allProjections } from '#projections/index.ts'
import { chainOf, eachDeployment, importing, TestDeployment } from '#test/cli/late-mirror.ts'
import { until } from '#test/importer/import-world.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

let folder: string
let deployment: TestDeployment
let log: string

/** With four blocks, imported and projected; each test has a copy. */
let whole: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  whole = await temporaryFolder()
  const first = new TestDeployment(whole.path)
  first.writeFiles(chainOf(4))
  await first.succeed(...importing, '--once')
  await first.succeed('project', '--once')
})
afterAll(() => whole.remove())

eachDeployment((begun) => {
  deployment = begun
  folder = begun.folder
  cpSync(whole.path, folder, { recursive: true })
  log = join(folder, 'data', 'log')
})

const someVerbs = [
  ['import', 'status'],
  [...importing, '--once'],
  ['project', '--once'],
]
const allVerbs = [
  ...someVerbs,
  ['import', 'detect-gaps'],
  ['import', 'verify'],
  ['projections', 'status'],
  ['projections', 'verify', 'blocks'],
  ['projections', 'rebuild', 'blocks'],
]

/** Of a log that is not what was seen. */
async function expectTold(lacks: RegExp, verbs: readonly (readonly string[])[] = allVerbs): Promise<void> {
  for (const verb of verbs) {
    const { code, out, err } = await deployment.run(...verb)
    expect(code, `${verb.join(' ')}\n${out}${err}`).toBe(1)
    expect(out + err, verb.join(' ')).toMatch(lacks)
    expect(out + err).toContain('import republish')
  }
}

/** The sentences of readiness; empty where it is ready. */
async function reasonsOf(url: string): Promise<readonly string[]> {
  const response = await fetch(`${url}/health/readiness`)
  const { reasons } = (await response.json()) as { reasons: string[] }
  expect(response.status).toBe(reasons.length === 0 ? 200 : 503)
  expect(reasons.join()).not.toContain(folder)
  expect(await (await fetch(`${url}/health/status`)).text()).not.toContain(folder)
  return reasons
}

describe('a log that has gone while the read models live', () => {
  it('is said by every verb and by readiness, and a new generation repairs it', async () => {
    const api = deployment.begin('serve', '--port', '0')
    const [, url] = await api.printed(/ at (http\S+)\/api\/v1/)
    await until(async () => (await reasonsOf(url!)).length === 0)
    rmSync(log, { recursive: true })
    await until(async () => (await reasonsOf(url!)).some((reason) => /is gone or empty, but 11 events/.test(reason)))
    await expectTold(/is gone or empty, but 11 events were on it, the last of /)

    await deployment.succeed('import', 'republish', '--source', 'streams', '--once')
    const names = allProjections.map(({ schema }) => schema.name)
    await deployment.succeed('projections', 'rebuild', ...names, '--generation', '2')
    await deployment.succeed('import', 'promote', '2', '--allow-older')
    await until(async () => (await reasonsOf(url!)).length === 0)
    await deployment.succeed('import', 'verify', '--source', 'streams')
  }, 180_000)

  it('is whole again when it is brought back', async () => {
    renameSync(log, `${log}.moved`)
    expect((await deployment.run('import', 'status')).code).toBe(1)
    rmSync(log, { recursive: true })
    renameSync(`${log}.moved`, log)
    await deployment.succeed('import', 'status')
    await deployment.succeed('import', 'detect-gaps')
    await deployment.succeed('project', '--once')
  }, 60_000)
})

describe('a log that is shorter than it was', () => {
  it('is said, and not written to', async () => {
    cpSync(log, `${log}.older`, { recursive: true })
    deployment.writeFiles(chainOf(6))
    await deployment.succeed(...importing, '--once')
    rmSync(log, { recursive: true })
    renameSync(`${log}.older`, log)
    await expectTold(/ends at event 11, but 15 events were on it/, someVerbs)
  }, 120_000)
})

describe('another log in the place of one', () => {
  it('is said though it is longer', async () => {
    const other = new TestDeployment(join(folder, 'other'))
    other.writeFiles(chainOf(6))
    await other.succeed(...importing, '--once')
    rmSync(log, { recursive: true })
    cpSync(join(folder, 'other', 'data', 'log'), log, { recursive: true })
    expect(existsSync(join(log, 'log.sqlite'))).toBe(true)
    await expectTold(/is another one, with 15 events, but 11 events were on it/, someVerbs)
  }, 120_000)
})
