import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { Crew } from '#src/cli/crew.ts'
import type { RoleName } from '#src/cli/roles/role.ts'
import { loadConfig } from '#src/config/load.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { root } from './support.ts'

const { config } = loadConfig({ flags: {}, environment: {}, file: undefined })
const crews: Crew[] = []

afterEach(async () => {
  for (const crew of crews.splice(0)) await crew.stop().catch(() => undefined)
})

function crewOf() {
  const ready: RoleName[] = []
  const urls: string[] = []
  const errors: object[] = []
  const path = join(root, 'never-touched')
  const marker = { format: 1, network: 'simulated' }
  const crew = new Crew({
    settings: { config, folder: { path, log: path, store: path, decisions: path, network: path, marker } },
    entry: new URL('./crew-worker.ts', import.meta.url),
    logger: { ...silentLogger, error: (fields: object) => errors.push(fields) },
    onLog: () => undefined,
    onReport: (report) => {
      if (report.kind !== 'ready') return
      ready.push(report.role)
      urls.push(report.url ?? '')
    },
    heaps: { serve: { youngMiB: 4, oldMiB: 24 } },
  })
  crews.push(crew)
  return { crew, ready, urls, errors }
}

it('starts no role once it stops', async () => {
  const { crew, ready } = crewOf()
  await crew.start('simulate')
  const stopped = crew.stop()
  await crew.start('import')
  await stopped
  await crew.start('serve')
  expect(ready).toEqual(['simulate'])
})

it('tells of a role that failed while it stopped, after it stopped the others', async () => {
  const { crew, errors } = crewOf()
  await crew.start('project')
  await crew.start('serve')
  const outcome: unknown = await crew.stop().catch((error: unknown) => error)
  expect(isLedgerError(outcome, 'disk_full')).toBe(true)
  expect(errors).toMatchObject([
    { role: 'project', code: 'disk_full', err: { message: 'no room for the last commit' } },
  ])
})

it('says in its log why a role failed', async () => {
  const { crew, errors } = crewOf()
  await expect(crew.start('import')).rejects.toThrow('no such source')
  expect(errors).toEqual([{ role: 'import', code: 'source_unavailable', reason: 'no such source' }])
})

const onPort = (port: number) => ({ config: { ...config, port } })

it('puts another one in the place of a thread that died of memory, and disturbs no other', async () => {
  const { crew, urls, errors } = crewOf()
  let failed = false
  crew.failed.catch(() => (failed = true))
  await crew.start('simulate', onPort(7))
  const revive = ({ url = '' }) => onPort(Number(new URL(url).port) + 1)
  await crew.start('serve', { thread: 'hungry', ...onPort(1), revive })
  await vi.waitFor(() => expect(urls).toHaveLength(3), { timeout: 20_000 })
  expect(urls).toEqual(['http://127.0.0.1:7', 'http://127.0.0.1:1', 'http://127.0.0.1:2'])
  expect(errors).toEqual([{ role: 'serve', thread: 'hungry', pauseMs: 1_000 }])
  expect(failed).toBe(false)
  await crew.stop()
})

it('stops all where nothing may take its place', async () => {
  const { crew, errors } = crewOf()
  await crew.start('simulate')
  await crew.start('serve', { thread: 'starving' })
  await expect(crew.failed).rejects.toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' })
  expect(errors).toMatchObject([{ role: 'starving', reason: expect.stringContaining('memory') }])
})

it('waits longer each time that the next one dies as well, and no longer than until it is stopped', async () => {
  const { crew, ready, errors } = crewOf()
  await crew.start('serve', { thread: 'starving', revive: () => ({}) })
  await vi.waitFor(() => expect(errors).toHaveLength(3), { timeout: 30_000 })
  expect(errors).toMatchObject([{ pauseMs: 1_000 }, { pauseMs: 2_000 }, { pauseMs: 4_000 }])
  expect(ready).toHaveLength(3)
  const before = performance.now()
  await crew.stop()
  expect(performance.now() - before).toBeLessThan(2_000)
  expect(ready).toHaveLength(3)
})
