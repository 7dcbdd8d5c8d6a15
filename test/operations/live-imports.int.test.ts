import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { LiveImports } from '#src/operations/live-imports.ts'
import type { ControlStore } from '#src/ports/control-store.ts'

const day = 86_400
let control: ControlStore
let nowMs: number
beforeEach(() => {
  control = openSqliteControlStore({ folder: ':memory:' })
  nowMs = 0
})
afterEach(() => control.close())

/** A process that begins now; its clock and store are those of the others. */
function process() {
  const imports = new LiveImports({ control: () => control, now: () => nowMs })
  return (seconds: number, sequence: number, ageSeconds: number): Promise<boolean> => {
    nowMs += seconds * 1_000
    return imports.isArchive(1, sequence, ageSeconds)
  }
}

it('takes a log of old transactions that stands still for an archive, from the first look on', async () => {
  const look = process()
  expect(await look(0, 100, 326 * day)).toBe(true)
  expect(await look(600, 100, 326 * day)).toBe(true)
})

it('counts what an import of an archive lacks while it moves, and nothing once it has ended', async () => {
  const look = process()
  expect(await look(0, 100, 326 * day)).toBe(true)
  expect(await look(1, 200, 320 * day)).toBe(false)
  expect(await look(30, 300, 310 * day)).toBe(false)
  expect(await look(59, 300, 310 * day)).toBe(false)
  expect(await look(1, 300, 310 * day)).toBe(true)
})

it('takes no network for an archive that was alive, however long it is silent, also after a restart', async () => {
  const look = process()
  expect(await look(0, 100, 2)).toBe(false)
  expect(await look(30 * day, 100, 30 * day)).toBe(false)
  const restarted = process()
  expect(await restarted(0, 100, 30 * day)).toBe(false)
  expect(await restarted(600, 100, 30 * day)).toBe(false)
})

it('asks a store that was away again, and does not take a network for an archive for good', async () => {
  await process()(0, 100, 2)
  let isAway = true
  const imports = new LiveImports({
    control: () => ({
      ...control,
      get: (name: string) => (isAway ? Promise.reject(new Error('away')) : control.get(name)),
    }),
    now: () => nowMs,
  })
  await expect(imports.isArchive(1, 100, day)).rejects.toThrow('away')
  isAway = false
  expect(await imports.isArchive(1, 100, day)).toBe(false)
})
