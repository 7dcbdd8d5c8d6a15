import { type AirdropRow, airdropState, airdropsSchema } from '#projections/airdrops/schema.ts'
import type { AirdropContext } from '#queries/airdrops/reads.ts'
import type { AirdropSelection } from '#queries/airdrops/selection.ts'
import type { Order } from '#queries/common/parameters.ts'
import { readStatePage } from '#queries/common/state-page.ts'
import { prefixOf } from '#queries/common/tuple-range.ts'
import { versionsOf } from '#queries/common/versions-of.ts'

const fields = ['sender', 'receiver', 'token', 'serial', 'from', 'until', 'amount', 'state'] as const
const pending = airdropState('PENDING')

/** What an account sent, or what it may claim. */
export type Direction = 'outstanding' | 'pending'

/** By direction: the side that the account is on, the other one, and the indexes in the order of the list. */
const sides = {
  outstanding: {
    other: 'receiver',
    byParty: ['sender', 'state', 'receiver', 'token', 'serial'],
    ofToken: ['sender', 'state', 'token', 'receiver', 'serial'],
    byChange: ['sender', 'from'],
  },
  pending: {
    other: 'sender',
    byParty: ['receiver', 'state', 'sender', 'token', 'serial'],
    ofToken: ['receiver', 'state', 'token', 'sender', 'serial'],
    byChange: ['receiver', 'from'],
  },
} as const

const airdropVersions = versionsOf(airdropsSchema, 'airdrops')

interface Page {
  readonly account: bigint
  readonly direction: Direction
  readonly order: Order
  readonly limit: number
}

/** The airdrops of an account that wait for a claim, by the account on the other side, token and serial number. */
export function findAirdrops(
  { account, direction, order, limit }: Page,
  { range, token, serial }: AirdropSelection,
  { rows: { airdrops }, checkpoint: { time }, pause }: AirdropContext,
): Promise<AirdropRow[]> {
  const { other, byParty, ofToken, byChange } = sides[direction]
  return readStatePage([range], {
    time,
    order,
    limit,
    pause,
    isSparse: serial !== undefined,
    tupleOf: (row) => (token === undefined ? [row[other], row.token, row.serial] : [row[other], row.serial]),
    shows: (row) =>
      row.state === pending &&
      (token === undefined || row.token === token) &&
      (serial === undefined || row.serial === serial),
    listed: (box, most) => {
      const page = {
        collection: 'airdrops',
        lower: { value: box.lower, inclusive: true },
        upper: { value: box.upper, inclusive: true },
        descending: order === 'desc',
        limit: most,
        select: fields,
      } as const
      return token === undefined
        ? airdrops.find({ ...page, index: byParty, prefix: prefixOf([account, pending], box) })
        : airdrops.find({ ...page, index: ofToken, prefix: prefixOf([account, pending, token], box) })
    },
    changed: () =>
      airdrops.find({
        collection: 'airdrops',
        index: byChange,
        prefix: [account],
        lower: { value: time, inclusive: false },
        limit: changedMax,
        select: fields,
      }),
    atBound: (newest) => airdropVersions.atInstant(airdrops, newest, time, fields),
  })
}

/** Most airdrops of one account that may change while a request runs. */
const changedMax = 10_000
