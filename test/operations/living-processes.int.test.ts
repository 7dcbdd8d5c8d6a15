import { spawnSync } from 'node:child_process'
import { hostname } from 'node:os'
import { expect, it, onTestFinished } from 'vitest'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { LivingProcesses } from '#src/operations/living-processes.ts'
import { announcePresence } from '#src/operations/presence.ts'
import { silentLogger } from '#src/ports/logger.ts'

it.each([-90_000, 90_000])('finds who lives at a single look, although its clock is wrong by %s ms', async (skewMs) => {
  const control = openSqliteControlStore({ folder: ':memory:' })
  const gone = new AbortController()
  const now = (): number => Date.now() + skewMs
  const identity = { role: 'project', codeVersion: '1', host: 'a', pid: 1, figures: () => ({}) }
  const presence = announcePresence({
    ...identity,
    control,
    now,
    intervalMs: 50,
    signal: gone.signal,
    logger: silentLogger,
  })
  onTestFinished(async () => {
    gone.abort()
    await presence.ended
    await control.close()
  })
  await presence.beat()
  const killed = { ...identity, id: 'killed', beat: 7, beatAt: new Date(now()).toISOString(), intervalMs: 50 }
  await control.put('process/killed', JSON.stringify(killed), 0)
  expect((await new LivingProcesses(control).read()).map(({ id }) => id)).toEqual([presence.id])
})

it('tells those that give no sign of life from those that are known to have died', async () => {
  const control = openSqliteControlStore({ folder: ':memory:' })
  onTestFinished(() => control.close())
  const beatAt = new Date(Date.now() - 20_000).toISOString()
  const { pid: died } = spawnSync(process.execPath, ['--version'])
  const told = [
    { id: 'hangs', host: hostname(), pid: process.pid },
    { id: 'died', host: hostname(), pid: died },
    { id: 'elsewhere', host: 'another', pid: died },
  ]
  for (const each of told) {
    const document = { ...each, role: 'serve', codeVersion: '1', beat: 7, beatAt, intervalMs: 50 }
    await control.put(`process/${each.id}`, JSON.stringify(document), 0)
  }
  const processes = new LivingProcesses(control)
  expect(await processes.read()).toEqual([])
  expect(processes.silent.map(({ id }) => id).sort()).toEqual(['elsewhere', 'hangs'])
})
