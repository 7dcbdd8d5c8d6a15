import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ServingModels } from '#src/runtime/serve/model-set.ts'
import { ServedModel } from '#src/runtime/serve/served-model.ts'
import { rowReaderFake } from '#test/queries/row-reader-fake.ts'

const choices = [{ blocks: { version: 2 } }, { blocks: { version: 1 } }]

function served(version: number, { filling = false, checkpoint = async () => ({ position: 1, time: 1n }) } = {}) {
  const reader = { ...rowReaderFake({}, { position: 0, time: 0n }), checkpoint }
  return new ServedModel({ name: 'blocks', id: `${version}`, version, build: 1, generation: 1, reader, filling })
}

it('asks the store once for all requests that one turn finds, and again in the next', async () => {
  let position = 0
  const checkpoint = async () => ({ position: ++position, time: 0n })
  const set = new ServingModels(new Map([['blocks', served(1, { checkpoint })]])).choose(choices)!
  const asked = [set.state(), set.state(), set.state()]
  expect((await Promise.all(asked)).map(({ bound }) => bound.position)).toEqual([1, 1, 1])
  await nextTurn()
  expect((await set.state()).bound.position).toBe(2)
})

it('finds once what answers, unless one of them still fills', () => {
  const filling = served(2, { filling: true })
  const models = new ServingModels(new Map([['blocks', filling]]))
  const before = models.choose(choices)
  expect(models.choose(choices)).not.toBe(before)
  filling.markFilled()
  const after = models.choose(choices)
  expect([after?.ids, models.choose(choices)]).toEqual(['2', after])
})
