import { describe, expect, it } from 'vitest'
import { unpackLots } from '#projections/nfts/packing.ts'
import { nftsProjection } from '#projections/nfts/projection.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { Row } from '#src/ports/read-store.ts'
import {
  approved,
  burned,
  deleted,
  described,
  disapproved,
  dissociated,
  metadataOf,
  minted,
  stated,
  token,
  transaction,
  transferred,
  treasury,
  treasuryChanged,
  wiped,
} from '#test/projections/nfts/story.ts'
import { alice, bob, recordOf } from '#test/support/events.ts'
import { awkwardLimits, foldedRows } from '#test/support/folded-rows.ts'
import { wholeEvent } from '#test/support/whole-event.ts'

const fold = (...records: readonly LogRecord[]) => foldedRows(nftsProjection, records)

/** Lots with NFTs in them, by who holds them. */
const heldLots = (rows: Record<string, Row[]>) =>
  rows['holdings']!.filter(({ listed }) => listed === 1).map(({ account, lots }) => [
    account,
    ...unpackLots(lots as Uint8Array).map(({ receiver, lot, count }) => `${count} of ${receiver}/${lot}`),
  ])

const text = (value: unknown) => Buffer.from(value as Uint8Array).toString()

describe('an NFT', () => {
  it('is minted with its metadata, and is its receiver', async () => {
    const rows = await fold(minted(10n, [1n, 2n]))
    const [, second] = rows['nfts']!
    expect(second).toMatchObject({ token, serial: 2n, from: 10n, until: null, receiver: treasury, created: 10n })
    expect(text(second!['metadata'])).toBe(metadataOf(2n).toString())
    expect(rows['nftVersions']).toEqual([])
    expect(heldLots(rows)).toEqual([[treasury, `2 of ${treasury}/0`]])
  })

  it('moves, loses its spenders then, and leaves the version before', async () => {
    const rows = await fold(
      minted(10n, [1n]),
      approved(20n, { owner: treasury, spender: bob, serials: [1n], delegatingSpender: 77n }),
      transferred(30n, [[1n, treasury, alice]]),
    )
    expect(rows['nfts']).toMatchObject([{ from: 30n, receiver: alice, spender: null, delegatingSpender: null }])
    expect(rows['nftVersions']).toMatchObject([
      { from: 10n, until: 20n, receiver: treasury, spender: null },
      { from: 20n, until: 30n, receiver: treasury, spender: bob, delegatingSpender: 77n },
    ])
    expect(rows['approvals']).toEqual([])
    expect(heldLots(rows)).toEqual([[alice, `1 of ${alice}/0`]])
  })

  it('is its last receiver of a transaction, with one version', async () => {
    const rows = await fold(
      minted(10n, [1n]),
      transferred(20n, [
        [1n, treasury, alice],
        [1n, alice, bob],
      ]),
    )
    expect(rows['nfts']).toMatchObject([{ from: 20n, receiver: bob }])
    expect(rows['nftVersions']).toMatchObject([{ from: 10n, until: 20n }])
    expect(heldLots(rows)).toEqual([[bob, `1 of ${bob}/0`]])
  })

  it('is nobody’s once it is burned or wiped', async () => {
    const rows = await fold(
      minted(10n, [1n, 2n]),
      transferred(20n, [[2n, treasury, alice]]),
      burned(30n, [1n]),
      wiped(40n, [2n], alice),
    )
    expect(rows['nfts']).toMatchObject([
      { serial: 1n, from: 30n, receiver: null, deleted: 1 },
      { serial: 2n, from: 40n, receiver: null, deleted: 1, created: 10n },
    ])
    expect(heldLots(rows)).toEqual([])
  })

  it('keeps its spender when its metadata changes, and changes nothing without any', async () => {
    const rows = await fold(
      minted(10n, [1n]),
      approved(20n, { owner: treasury, spender: bob, serials: [1n] }),
      described(30n, [1n], 'new'),
      described(40n, [1n], null),
    )
    const [nft] = rows['nfts']!
    expect(nft).toMatchObject({ from: 30n, spender: bob, receiver: treasury })
    expect(text(nft!['metadata'])).toBe('new')
  })

  it('has the spender of the last entry, of an owner that may be the payer, until that is taken back', async () => {
    const approvals = approved(30n, { spender: 5n, serials: [1n] }, { spender: bob, serials: [1n, 2n] })
    const before = [
      minted(10n, [1n, 2n]),
      transferred(
        20n,
        [1n, 2n].map((serial) => [serial, treasury, alice] as const),
      ),
    ]
    const rows = await fold(...before, approvals, disapproved(40n, alice, [2n]))
    expect(rows['nfts']).toMatchObject([
      { serial: 1n, from: 30n, receiver: alice, spender: bob },
      { serial: 2n, from: 40n, receiver: alice, spender: null },
    ])
    expect(rows['approvals']).toEqual([{ owner: alice, spender: bob, token, serial: 1n }])
  })

  it('that nobody minted is known from what moves it, and from what its owner approves or takes back', async () => {
    const rows = await fold(
      transferred(20n, [[9n, alice, bob]]),
      approved(30n, { owner: alice, spender: bob, serials: [10n] }),
      disapproved(40n, alice, [11n]),
    )
    expect(rows['nfts']).toMatchObject([
      { serial: 9n, from: 20n, receiver: bob, created: null, metadata: null },
      { serial: 10n, from: 30n, receiver: alice, spender: bob, created: null },
      { serial: 11n, from: 40n, receiver: alice, spender: null, created: null },
    ])
  })

  it('does not change with a transaction that failed, but for movements that happened all the same', async () => {
    const failed = { successful: false, result: 10 }
    const moved = (time: bigint, result: number) =>
      transaction(time, 14, {
        successful: false,
        result,
        nftTransfers: [{ tokenId: token, serialNumber: 1n, senderAccountId: treasury, receiverAccountId: bob }],
      })
    const rows = await fold(
      minted(10n, [1n]),
      transaction(20n, 38, { ...failed, tokenBurn: { token: { tokenNum: token }, serialNumbers: [1n] } }),
      moved(30n, 10),
      moved(40n, 23),
    )
    expect(rows['nfts']).toMatchObject([{ from: 40n, receiver: bob, deleted: 0 }])
  })

  it('is what a statement says from then on, and what followed before it is superseded', async () => {
    const rows = await fold(
      minted(10n, [1n]),
      transferred(30n, [[1n, treasury, alice]]),
      stated(1n, 5n, { validTo: 20n, accountId: treasury, createdTimestamp: 5n }),
      stated(1n, 20n, { accountId: bob, createdTimestamp: 5n, spender: alice }),
    )
    expect(rows['nfts']).toMatchObject([{ from: 20n, until: null, receiver: bob, created: 5n, spender: alice }])
    expect(heldLots(rows)).toEqual([[bob, `1 of ${bob}/0`]])
  })
})

describe('a change of treasury', () => {
  it('hands over the lots of the former treasury, and touches no NFT', async () => {
    const before = [minted(10n, [1n, 2n, 3n]), transferred(20n, [[3n, treasury, alice]])]
    const rows = await fold(...before, treasuryChanged(30n, treasury, bob))
    const untouched = await fold(...before)
    expect([rows['nfts'], rows['nftVersions']]).toEqual([untouched['nfts'], untouched['nftVersions']])
    expect(heldLots(rows)).toEqual([
      [alice, `1 of ${alice}/0`],
      [bob, `2 of ${treasury}/0`],
    ])
    expect(rows['movedLots']).toEqual([{ token, receiver: treasury, lot: 0, holder: bob, since: 30n }])
  })

  it('hands over what the former treasury got by another one, and begins a new lot of what it gets again', async () => {
    const rows = await fold(
      minted(10n, [1n, 2n]),
      treasuryChanged(20n, treasury, bob),
      transferred(30n, [[1n, bob, treasury]]),
      treasuryChanged(40n, bob, treasury),
    )
    expect(rows['nfts']).toMatchObject([
      { serial: 1n, receiver: treasury, lot: 1 },
      { serial: 2n, receiver: treasury, lot: 0 },
    ])
    expect(heldLots(rows)).toEqual([[treasury, `1 of ${treasury}/1`, `1 of ${treasury}/0`]])
    expect(rows['lotMoves']).toMatchObject([
      { lot: 0, time: 20n, holder: bob },
      { lot: 0, time: 40n, holder: treasury },
    ])
  })

  it('that hands over nothing leaves nothing behind', async () => {
    const rows = await fold(treasuryChanged(20n, treasury, bob))
    expect([rows['holdings'], rows['movedLots'], rows['tokens']]).toEqual([[], [], []])
  })
})

describe('leaving a token', () => {
  const before = [minted(10n, [1n, 2n]), transferred(20n, [[1n, treasury, alice]])]

  it('that was deleted takes the NFTs with it', async () => {
    const rows = await fold(...before, deleted(30n), dissociated(40n, alice))
    expect(heldLots(rows)).toEqual([[treasury, `1 of ${treasury}/0`]])
    expect(rows['movedLots']).toEqual([{ token, receiver: alice, lot: 0, holder: null, since: 40n }])
    expect(rows['tokens']).toEqual([{ token, deleted: 30n, moved: 1 }])
  })

  it('that is there leaves them, since nobody can', async () => {
    const rows = await fold(...before, dissociated(40n, alice))
    expect(rows['movedLots']).toEqual([])
  })
})

describe('approvals for all serials', () => {
  it('have versions, of which the last entry of a body counts', async () => {
    const rows = await fold(
      approved(10n, { spender: bob, forAll: false }, { spender: bob, forAll: true }),
      approved(20n, { owner: alice, spender: bob, forAll: false }),
    )
    expect(rows['allowances']).toEqual([{ owner: alice, spender: bob, token, from: 20n, until: null, approved: 0 }])
    expect(rows['allowanceVersions']).toMatchObject([{ from: 10n, until: 20n, approved: 1 }])
  })

  it('are what a statement says', async () => {
    const parties = { ownerId: alice, spenderId: bob, tokenId: token }
    const rows = await fold(
      approved(10n, { spender: bob, forAll: true }),
      recordOf(
        'NftAllowanceSnapshotted',
        wholeEvent('NftAllowanceSnapshotted', { ...parties, asOf: 20n, validTo: 25n, approvedForAll: true }),
      ),
    )
    expect(rows['allowances']).toMatchObject([{ from: 20n, until: 25n, approved: 1 }])
  })
})

it('gives the same rows whatever the batches, commits and caches', async () => {
  const story = [
    minted(10n, [1n, 2n, 3n]),
    approved(20n, { owner: treasury, spender: bob, serials: [1n, 2n], forAll: true }),
    treasuryChanged(30n, treasury, bob),
    transferred(40n, [[1n, bob, alice]]),
    transferred(50n, [[2n, bob, treasury]]),
    described(60n, [3n], 'new'),
    treasuryChanged(70n, bob, alice),
    burned(80n, [3n], alice),
    deleted(90n),
    dissociated(95n, treasury),
  ]
  const expected = await fold(...story)
  for (const limits of awkwardLimits) expect(await foldedRows(nftsProjection, story, limits)).toEqual(expected)
})
