import { expect, it, onTestFinished } from 'vitest'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { LivingProcesses } from '#src/cli/living-processes.ts'
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
