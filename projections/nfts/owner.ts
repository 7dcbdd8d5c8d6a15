import type { HoldingRow, NftRow, nftsSchema } from '#projections/nfts/schema.ts'
import type { FoldedRows, WantedRows } from '#src/runtime/fold/projection.ts'

type Rows = Pick<FoldedRows<typeof nftsSchema>, 'get'>

/** Finds rows: those that are there already in `needs`, all of them in `apply`. */
export type Look = Rows['get']

export const looking = (rows: Rows): Look => rows.get.bind(rows)
export const wanting = (rows: WantedRows<typeof nftsSchema>): Look => rows.want.bind(rows)

export interface Possession {
  /** null when nobody has it. */
  readonly owner: bigint | null
  /** Its lot was handed over since the row's version began, which took the spender away. */
  readonly handedOver: boolean
}

/** Who has an NFT. */
export function possessionOf({ token, receiver, lot, from }: NftRow, look: Look): Possession {
  const moved = receiver !== null && look('tokens', token)?.moved ? look('movedLots', token, receiver, lot) : undefined
  return moved ? { owner: moved.holder, handedOver: moved.since > from } : { owner: receiver, handedOver: false }
}

const nothing = new Uint8Array(0)

export function holdingOf(look: Look, account: bigint, token: bigint): HoldingRow {
  return look('holdings', account, token) ?? { account, token, listed: 0, lot: 0, lots: nothing }
}
