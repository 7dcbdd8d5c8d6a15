import { expect, it } from 'vitest'
import { tokensSchema } from '#projections/tokens/schema.ts'
import { findNames } from '#queries/tokens/find-names.ts'
import { rowsAt } from '#src/runtime/serve/rows-at.ts'
import { rowReaderFake } from '#test/queries/row-reader-fake.ts'

const gram = (text: string) => Buffer.from(text).readUIntBE(0, 3)

/** 2,000 tokens whose names have `abc`; every 700th has `bcd` as well. */
function names() {
  const rows = Array.from({ length: 2_000 }, (_, index) => ({ gram: gram('abc'), token: BigInt(index + 1) }))
  const rare = rows.filter(({ token }) => token % 700n === 0n).map(({ token }) => ({ gram: gram('bcd'), token }))
  return rowReaderFake({ nameGrams: [...rows, ...rare] }, { position: 1, time: 1n })
}

async function find(reader: ReturnType<typeof names>, text: string, order: 'asc' | 'desc'): Promise<bigint[]> {
  const context = { rows: { tokens: rowsAt(tokensSchema, reader, 1n) }, pause: async () => {} }
  const found: bigint[] = []
  for await (const step of findNames(context, [text], order)) found.push(...step)
  return found
}

it('finds what has all parts, in either order, however many have one of them', async () => {
  expect(await find(names(), 'abcd', 'asc')).toEqual([700n, 1_400n])
  expect(await find(names(), 'ABCD', 'desc')).toEqual([1_400n, 700n])
  expect(await find(names(), 'abce', 'asc')).toEqual([])
})

it('finds all of what is common, each once', async () => {
  const all = Array.from({ length: 2_000 }, (_, index) => BigInt(index + 1))
  expect(await find(names(), 'abc', 'asc')).toEqual(all)
  expect(await find(names(), 'abc', 'desc')).toEqual(all.toReversed())
})
