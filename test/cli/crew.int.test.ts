import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
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
  const errors: object[] = []
  const path = join(root, 'never-touched')
  const marker = { format: 1, network: 'simulated' }
  const crew = new Crew({
    settings: { config, folder: { path, log: path, store: path, decisions: path, network: path, marker } },
    entry: new URL('./crew-worker.ts', import.meta.url),
    logger: { ...silentLogger, error: (fields: object) => errors.push(fields) },
    onLog: () => undefined,
    onReport: (report) => {
      if (report.kind === 'ready') ready.push(report.role)
    },
  })
  crews.push(crew)
  return { crew, ready, errors }
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
