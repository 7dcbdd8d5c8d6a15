import { type AirdropRow, airdropState } from '#projections/airdrops/schema.ts'
import type { AirdropContext } from '#queries/airdrops/reads.ts'
import type { AirdropSelection } from '#queries/airdrops/selection.ts'
import type { Order } from '#queries/common/parameters.ts'
import { readOf } from '#queries/common/range.ts'
import { beyond, boxesInOrder, prefixOf, type TupleRange } from '#queries/common/tuple-range.ts'

const fields = ['sender', 'receiver', 'token', 'serial', 'from', 'until', 'amount', 'state'] as const
const pending = airdropState('PENDING')

/** Rows that a step reads at least where some of them are passed over. */
const passingStep = 100

/** What an account sent, or what it may claim. */
export type Direction = 'outstanding' | 'pending'

/** By direction: the side that the account is on, the other one, and the indexes in the order of the list. */
const sides = {
  outstanding: {
    other: 'receiver',
    byParty: ['sender', 'state', 'receiver', 'token', 'serial'],
    ofToken: ['sender', 'state', 'token', 'receiver', 'serial'],
  },
  pending: {
    other: 'sender',
    byParty: ['receiver', 'state', 'sender', 'token', 'serial'],
    ofToken: ['receiver', 'state', 'token', 'sender', 'serial'],
  },
} as const

interface Page {
  readonly account: bigint
  readonly direction: Direction
  readonly order: Order
  readonly limit: number
}

/** The airdrops of an account that wait for a claim, by the account on the other side, token and serial number. */
export async function findAirdrops(
  page: Page,
  { range, token, serial }: AirdropSelection,
  context: AirdropContext,
): Promise<AirdropRow[]> {
  const { direction, order, limit } = page
  const { other } = sides[direction]
  const step = serial === undefined ? limit : Math.max(limit, passingStep)
  const found: AirdropRow[] = []
  for (let rest = range; ; ) {
    const rows = await findStep({ ...page, limit: step }, rest, token, context)
    found.push(...rows.filter((row) => serial === undefined || row.serial === serial))
    const last = rows.at(-1)
    if (last === undefined || rows.length < step || found.length >= limit) return found.slice(0, limit)
    rest = beyond(
      rest,
      token === undefined ? [last[other], last.token, last.serial] : [last[other], last.serial],
      order,
    )
    await context.pause()
  }
}

function findStep(
  { account, direction, order, limit }: Page,
  range: TupleRange,
  token: bigint | undefined,
  { rows: { airdrops } }: AirdropContext,
): Promise<AirdropRow[]> {
  const { byParty, ofToken } = sides[direction]
  const boxes = boxesInOrder([range], order).map((box) => ({
    box,
    query: { collection: 'airdrops', ...readOf(box, order, limit), select: fields } as const,
  }))
  return token === undefined
    ? airdrops.findEach(
        boxes.map(({ box, query }) => ({ ...query, index: byParty, prefix: prefixOf([account, pending], box) })),
      )
    : airdrops.findEach(
        boxes.map(({ box, query }) => ({ ...query, index: ofToken, prefix: prefixOf([account, pending, token], box) })),
      )
}
