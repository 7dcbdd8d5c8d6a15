import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { folderOf } from '#src/cli/data-folder.ts'
import { RolePool } from '#src/cli/role-pool.ts'
import { startServing } from '#src/cli/serving-threads.ts'
import { loadConfig } from '#src/config/load.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { askUntil, run } from './support.ts'

const token = 'of-the-operator'
let folder: string
let data: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-death-'))
  data = join(folder, 'data')
  await run(['network', 'simulate', '--out', 'streams', '--blocks', '2', '--seed', 'death'], { cwd: folder })
  const { code, err } = await run(['start', '--source', 'streams', '--once', '--data', data], { cwd: folder })
  expect(code, err).toBe(0)
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The answer over a connection of its own; undefined where the thread that had it is gone. */
function ask(url: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 5_000 }, (answer) =>
      text(answer).then(resolve, () => resolve(undefined)),
    )
    request.on('error', () => resolve(undefined))
  })
}

it.each([2, 1])(
  'of %i threads the one that keeps the page dies of memory: the process goes on, and so does the page',
  async (threads) => {
    const flags = {
      data,
      'status-tokens': `alice:operator:${createHash('sha256').update(token).digest('hex')}`,
      port: '0',
    }
    const { config } = loadConfig({ flags, environment: {}, file: undefined })
    const errors: object[] = []
    const pool = new RolePool({
      settings: { config, folder: folderOf(config, undefined, 'existing') },
      entry: new URL('./hungry-worker.ts', import.meta.url),
      logger: { ...silentLogger, error: (fields: object) => errors.push(fields) },
      onLog: () => undefined,
      onReport: () => undefined,
    })
    try {
      const url = (await startServing(pool, { config, threads }))!
      let failed = false
      pool.failed.catch(() => (failed = true))
      await askUntil(`${url}/health/readiness`, () => true)

      const first = threads === 1 ? 'serve' : 'serve-1'
      writeFileSync(join(data, 'store', 'eat'), `${first} ${Date.now()}`)
      let [answered, lost] = [0, 0]
      const asking = async (): Promise<void> => {
        while (errors.length === 0) {
          if ((await ask(`${url}/health/liveness`)) === undefined) lost += 1
          else answered += 1
        }
      }
      await asking()
      expect(errors).toMatchObject([{ role: 'serve', thread: first, pauseMs: 1_000 }])
      if (threads > 1) {
        // The other one answers meanwhile: nobody listens for the one that is gone.
        for (let count = 0; count < 20; count++) expect(await ask(`${url}/health/liveness`)).toContain('UP')
      }
      const seen = new Set<number>()
      await vi.waitFor(
        async () => {
          const body = await ask(`${url}/health/status`)
          if (body !== undefined) seen.add((JSON.parse(body) as { process: { thread: number } }).process.thread)
          expect(seen.size).toBe(threads)
        },
        { timeout: 20_000, interval: 50 },
      )
      expect(failed).toBe(false)

      // The one in its place keeps the page again: what it owned has been let go.
      const name = `After the death of one of ${threads}`
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ type: 'OpenIncident', name })
      const answer = await fetch(`${url}/status/v1/commands`, { method: 'POST', headers, body })
      expect(answer.status, await answer.text()).toBe(200)
      const shows = ({ incidents }: { incidents: { name: string }[] }): boolean =>
        incidents.some((each) => each.name === name)
      await askUntil(`${url}/api/v2/incidents.json`, shows, 20_000)
      console.log(`${threads} threads: ${answered} answers and ${lost} lost ones until the thread was gone`)
    } finally {
      await pool.stop()
    }
  },
  90_000,
)
