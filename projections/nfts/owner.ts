import type { HoldingRow, NftRow, nftsSchema } from '#projections/nfts/schema.ts'
import type { ReadRows } from '#src/runtime/fold/projection.ts'

type Rows = ReadRows<typeof nftsSchema>

export interface Possession {
  /** null when nobody has it. */
  readonly owner: bigint | null
  /** Its lot was handed over since the row's version began, which took the spender away. */
  readonly handedOver: boolean
}

/** Who has an NFT. */
export function possessionOf({ token, receiver, lot, from }: NftRow, rows: Rows): Possession {
  const moved =
    receiver !== null && rows.get('tokens', token)?.moved ? rows.get('movedLots', token, receiver, lot) : undefined
  return moved ? { owner: moved.holder, handedOver: moved.since > from } : { owner: receiver, handedOver: false }
}

const nothing = new Uint8Array(0)

export function holdingOf(rows: Rows, account: bigint, token: bigint): HoldingRow {
  return rows.get('holdings', account, token) ?? { account, token, listed: 0, lot: 0, lots: nothing }
}
