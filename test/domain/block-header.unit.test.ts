import { expect, it } from 'vitest'
import { findBlockHeader } from '#src/domain/block-header.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'
import { sampleBlock } from '#test/support/sample-blocks.ts'

it('tells number and time of a block', () => {
  const block = sampleBlock({ number: 7n, time: 1_700_000_000_250 })
  expect(findBlockHeader(block)).toMatchObject({ number: 7n, time: 1_700_000_000_250_000_000n })
})

it.each([
  ['nothing', Buffer.alloc(0)],
  ['another item', bytesField(1, bytesField(4, Buffer.from('abc')))],
  ['no item', varintField(1, 1)],
  ['a header without a time', bytesField(1, bytesField(1, varintField(3, 7)))],
  ['an item cut short', sampleBlock({ number: 7n }).subarray(0, 5)],
  ['a number of another kind', bytesField(1, bytesField(1, bytesField(3, Buffer.from('abc'))))],
])('is not there in %s', (_, block) => {
  expect(findBlockHeader(block)).toBeUndefined()
})
