import { expect, it } from 'vitest'
import { lotsMoved, nftsSchema } from '#projections/nfts/schema.ts'
import { MovedSince } from '#queries/nfts/moved-since.ts'
import type { NftContext } from '#queries/nfts/reads.ts'
import type { Row } from '#src/ports/read-store.ts'
import { rowsAt } from '#src/runtime/serve/rows-at.ts'
import { rowReaderFake } from '#test/queries/row-reader-fake.ts'

const bound = 100n
const keys = Object.fromEntries(Object.entries(nftsSchema.collections).map(([name, { key }]) => [name, key]))

function movedSince(collections: Readonly<Record<string, Row[]>>, newestTime?: bigint) {
  const reader = { ...rowReaderFake(collections, { position: 1, time: 1_000n }, keys), newestTime: () => newestTime }
  let pauses = 0
  const context = {
    rows: { nfts: rowsAt(nftsSchema, reader, bound) },
    checkpoint: { position: 1, time: bound },
    pause: async () => {
      pauses += 1
    },
  } as unknown as NftContext
  return { moved: new MovedSince(context), reader, pauses: () => pauses }
}

const nft = (serial: bigint) => ({ token: 1n, serial, from: 5n, until: null, receiver: 7n, lot: 0, deleted: 0 })
const serials = (count: number) => Array.from({ length: count }, (_, at) => BigInt(at + 1))

it('knows of all that changed, also where one instant changed more than a step reads', async () => {
  const { moved, pauses } = movedSince({
    nfts: serials(3_300).map(nft),
    nftVersions: [],
    changes: [
      { time: bound, token: 1n, serial: 3_300n },
      ...serials(700).map((serial) => ({ time: 200n, token: 1n, serial })),
      ...serials(3_200).map((serial) => ({ time: 300n, token: 1n, serial })),
    ],
  })
  await moved.read()
  expect(moved.nfts.map(({ serial }) => serial)).toEqual(serials(3_200))
  expect(pauses()).toBeGreaterThan(1)
  await moved.read()
  expect(moved.nfts).toHaveLength(3_200)
})

it('knows of all lots that were handed over at once', async () => {
  const receivers = serials(2_500)
  const { moved } = movedSince({
    changes: [{ time: 200n, token: 1n, serial: lotsMoved }],
    lotMoves: receivers.map((receiver) => ({ token: 1n, receiver, lot: 1, time: 200n, holder: 9_999n })),
    movedLots: receivers.map((receiver) => ({ token: 1n, receiver, lot: 1, holder: 9_999n, since: 200n })),
  })
  await moved.read()
  expect(moved.lots.map(({ receiver, holder }) => [receiver, holder])).toEqual(receivers.map((each) => [each, each]))
})

it('reads nothing where nothing can be newer', async () => {
  const changes = [{ time: 200n, token: 1n, serial: 1n }]
  const known = movedSince({ changes, nfts: [nft(1n)] }, bound)
  await known.moved.read()
  expect(known.reader.calls).toBe(0)
  const later = movedSince({ changes, nfts: [nft(1n)], nftVersions: [] }, bound + 1n)
  await later.moved.read()
  expect(later.moved.nfts).toHaveLength(1)
})
