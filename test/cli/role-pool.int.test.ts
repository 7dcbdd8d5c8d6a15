import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { RolePool } from '#src/cli/role-pool.ts'
import type { RoleName } from '#src/cli/roles/role.ts'
import { loadConfig } from '#src/config/load.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { root } from './support.ts'

const { config } = loadConfig({ flags: {}, environment: {}, file: undefined })
const pools: RolePool[] = []

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.stop().catch(() => undefined)
})

function poolOf() {
  const ready: RoleName[] = []
  const urls: string[] = []
  const errors: object[] = []
  const path = join(root, 'never-touched')
  const marker = { format: 1, network: 'simulated' }
  const pool = new RolePool({
    settings: { config, folder: { path, log: path, store: path, decisions: path, network: path, marker } },
    entry: new URL('./role-pool-worker.ts', import.meta.url),
    logger: { ...silentLogger, error: (fields: object) => errors.push(fields) },
    onLog: () => undefined,
    onReport: (report) => {
      if (report.kind !== 'ready') return
      ready.push(report.role)
      urls.push(report.url ?? '')
    },
    heaps: { serve: { youngMiB: 4, oldMiB: 24 } },
  })
  pools.push(pool)
  return { pool, ready, urls, errors }
}

it('starts no role once it stops', async () => {
  const { pool, ready } = poolOf()
  await pool.start('simulate')
  const stopped = pool.stop()
  await pool.start('import')
  await stopped
  await pool.start('serve')
  expect(ready).toEqual(['simulate'])
})

it('tells of a role that failed while it stopped, after it stopped the others', async () => {
  const { pool, errors } = poolOf()
  await pool.start('project')
  await pool.start('serve')
  const outcome: unknown = await pool.stop().catch((error: unknown) => error)
  expect(isLedgerError(outcome, 'disk_full')).toBe(true)
  expect(errors).toMatchObject([
    { role: 'project', code: 'disk_full', err: { message: 'no room for the last commit' } },
  ])
})

it('says in its log why a role failed', async () => {
  const { pool, errors } = poolOf()
  await expect(pool.start('import')).rejects.toThrow('no such source')
  expect(errors).toEqual([{ role: 'import', code: 'source_unavailable', reason: 'no such source' }])
})

const onPort = (port: number) => ({ config: { ...config, port } })

it('puts another one in the place of a thread that died of memory, and disturbs no other', async () => {
  const { pool, urls, errors } = poolOf()
  let failed = false
  pool.failed.catch(() => (failed = true))
  await pool.start('simulate', onPort(7))
  const revive = ({ url = '' }) => onPort(Number(new URL(url).port) + 1)
  await pool.start('serve', { thread: 'hungry', ...onPort(1), revive })
  await vi.waitFor(() => expect(urls).toHaveLength(3), { timeout: 20_000 })
  expect(urls).toEqual(['http://127.0.0.1:7', 'http://127.0.0.1:1', 'http://127.0.0.1:2'])
  expect(errors).toEqual([{ role: 'serve', thread: 'hungry', pauseMs: 1_000 }])
  expect(failed).toBe(false)
  await pool.stop()
})

it('stops all where nothing may take its place', async () => {
  const { pool, errors } = poolOf()
  await pool.start('simulate')
  await pool.start('serve', { thread: 'starving' })
  await expect(pool.failed).rejects.toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' })
  expect(errors).toMatchObject([{ role: 'starving', reason: expect.stringContaining('memory') }])
})

it('waits longer each time that the next one dies as well, and no longer than until it is stopped', async () => {
  const { pool, ready, errors } = poolOf()
  await pool.start('serve', { thread: 'starving', revive: () => ({}) })
  await vi.waitFor(() => expect(errors).toHaveLength(3), { timeout: 30_000 })
  expect(errors).toMatchObject([{ pauseMs: 1_000 }, { pauseMs: 2_000 }, { pauseMs: 4_000 }])
  expect(ready).toHaveLength(3)
  const before = performance.now()
  await pool.stop()
  expect(performance.now() - before).toBeLessThan(2_000)
  expect(ready).toHaveLength(3)
})
