/**
 * Accounts of one block, 4: neighbours in number are often used together, and a commit writes a block once. Arrays of up to 64
 * bytes cost next to nothing; larger ones have memory of their own, which a fold that copies one for every change notices.
 */
const blockBits = 2n
const blockAccounts = 1n << blockBits
const entryBytes = 9
const blockBytes = Number(blockAccounts) * entryBytes

export function blockOf(account: bigint): bigint {
  return account >> blockBits
}

/** Where an account is in its block; ids of shards above 511 are negative. */
function offsetOf(account: bigint): number {
  return Number(account & (blockAccounts - 1n)) * entryBytes
}

export interface BlockEntry {
  /** tinybar; what was moved where nothing else is known. */
  readonly balance: bigint
  /** There is a row of the account as a staker. */
  readonly isStaker: boolean
}

const nothing: BlockEntry = { balance: 0n, isStaker: false }

export function entryOf(accounts: Uint8Array | undefined, account: bigint): BlockEntry {
  if (accounts === undefined) return nothing
  const view = new DataView(accounts.buffer, accounts.byteOffset, accounts.byteLength)
  const at = offsetOf(account)
  return { balance: view.getBigInt64(at), isStaker: view.getUint8(at + 8) === 1 }
}

export function withEntry(accounts: Uint8Array | undefined, account: bigint, entry: BlockEntry): Uint8Array {
  const changed = new Uint8Array(blockBytes)
  if (accounts !== undefined) changed.set(accounts)
  const view = new DataView(changed.buffer)
  const at = offsetOf(account)
  view.setBigInt64(at, entry.balance)
  view.setUint8(at + 8, entry.isStaker ? 1 : 0)
  return changed
}
