import { expect, it } from 'vitest'
import type { Checkpoint } from '#src/ports/read-store.ts'
import { untilAsFresh } from '#src/runtime/serve/model-freshness.ts'
import { ServedModel } from '#src/runtime/serve/served-model.ts'
import { rowReaderFake } from '#test/queries/row-reader-fake.ts'

const at = (time: bigint, whole: bigint): Checkpoint => ({ position: 1, time, whole: { position: 1, time: whole } })

function served(id: string, checkpoint: () => Checkpoint): ServedModel {
  const reader = { ...rowReaderFake({}, at(0n, 0n)), checkpoint: async () => checkpoint() }
  return new ServedModel({ name: 'blocks', id, version: 1, build: 1, generation: 1, reader })
}

it.each([
  ['time', at(4n, 3n)],
  ['newest whole block', at(9n, 2n)],
])('waits until a new instance has reached the %s of the one before', async (_, behind) => {
  const before = served('1', () => at(5n, 3n))
  await before.checkpoint()
  let asked = 0
  const model = served('1.2', () => (++asked < 3 ? behind : at(9n, 3n)))
  await untilAsFresh(() => [{ model, before }], 60_000)
  expect(asked).toBe(3)
})

it('waits no longer than it is told, and not at all for what replaces nothing', async () => {
  const before = served('1', () => at(5n, 3n))
  await before.checkpoint()
  const model = served('1.2', () => at(4n, 3n))
  await untilAsFresh(() => [{ model, before }], 0)
  await untilAsFresh(() => [{ model, before: undefined }], 60_000)
  expect(model.newestTime).toBe(4n)
})
