/** NFTs of one token that one account received one by one, between two times that it handed over all it had. */
export interface Lot {
  /** Entity id of the account. */
  readonly receiver: bigint
  /** Number among the account's lots of the token, from 0. */
  readonly lot: number
}

export interface HeldLot extends Lot {
  /** NFTs in it, at least 1. */
  readonly count: bigint
}

const lotBytes = 20
const countAt = 12

/** 20 bytes each: receiver, number and count. */
export function packLots(lots: readonly HeldLot[]): Uint8Array {
  const bytes = new Uint8Array(lots.length * lotBytes)
  const view = new DataView(bytes.buffer)
  lots.forEach(({ receiver, lot, count }, index) => {
    view.setBigInt64(index * lotBytes, receiver)
    view.setInt32(index * lotBytes + 8, lot)
    view.setBigInt64(index * lotBytes + countAt, count)
  })
  return bytes
}

export function unpackLots(bytes: Uint8Array): HeldLot[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.length / lotBytes }, (_, index) => ({
    receiver: view.getBigInt64(index * lotBytes),
    lot: view.getInt32(index * lotBytes + 8),
    count: view.getBigInt64(index * lotBytes + countAt),
  }))
}

/** With NFTs more or less in one of them, which may be new. Those without any are left out. */
export function countedLots(lots: readonly HeldLot[], { receiver, lot }: Lot, change: bigint): HeldLot[] {
  const known = lots.find((each) => each.receiver === receiver && each.lot === lot)
  const count = (known?.count ?? 0n) + change
  const others = lots.filter((each) => each !== known)
  return count > 0n ? [...others, { receiver, lot, count }] : others
}
