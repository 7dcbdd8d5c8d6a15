import { accountIdOf, type FindName } from '#projections/entity-ids/resolve.ts'
import type { AccountAmount, AccountID, CryptoTransferTransactionBody, HookCall } from '#schemas/events/types.ts'

/** A hook as a transfer calls it. */
export interface CalledHook {
  /** Entity id; 0 when the account that is named does not exist. */
  readonly owner: bigint
  readonly hookId: bigint
}

/** An entry's account, and what it calls on its behalf. */
interface Calls {
  readonly account: AccountID | null
  readonly pre: HookCall | null
  readonly prePost: HookCall | null
}

/**
 * The hooks that a transfer calls, in the order of their execution: those that run before it, then the first calls of those
 * that run before and after it, then their second calls. undefined when it calls none, as nearly all do.
 */
export function calledHooks(
  { transfers, tokenTransfers }: CryptoTransferTransactionBody,
  find: FindName,
  time: bigint,
): CalledHook[] | undefined {
  const calls: Calls[] = []
  if (transfers) addAmounts(calls, transfers.accountAmounts)
  for (const { transfers: amounts, nftTransfers } of tokenTransfers) {
    addAmounts(calls, amounts)
    for (const nft of nftTransfers) {
      add(calls, nft.senderAccountID, nft.preTxSenderAllowanceHook, nft.prePostTxSenderAllowanceHook)
      add(calls, nft.receiverAccountID, nft.preTxReceiverAllowanceHook, nft.prePostTxReceiverAllowanceHook)
    }
  }
  if (calls.length === 0) return undefined
  const called = (account: AccountID | null, call: HookCall | null): CalledHook[] =>
    call ? [{ owner: accountIdOf(account, find, time) ?? 0n, hookId: call.hookId ?? 0n }] : []
  const pre = calls.flatMap(({ account, pre }) => called(account, pre))
  const prePost = calls.flatMap(({ account, prePost }) => called(account, prePost))
  return [...pre, ...prePost, ...prePost]
}

function addAmounts(calls: Calls[], amounts: readonly AccountAmount[]): void {
  for (const { accountID, preTxAllowanceHook, prePostTxAllowanceHook } of amounts)
    add(calls, accountID, preTxAllowanceHook, prePostTxAllowanceHook)
}

function add(calls: Calls[], account: AccountID | null, pre: HookCall | null, prePost: HookCall | null): void {
  if (pre || prePost) calls.push({ account, pre, prePost })
}

const callBytes = 16

export function encodeCalls(calls: readonly CalledHook[]): Buffer {
  const bytes = Buffer.alloc(calls.length * callBytes)
  calls.forEach(({ owner, hookId }, index) => {
    bytes.writeBigInt64BE(owner, index * callBytes)
    bytes.writeBigInt64BE(hookId, index * callBytes + 8)
  })
  return bytes
}

export function decodeCalls(bytes: Uint8Array): CalledHook[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.length / callBytes }, (_, index) => ({
    owner: view.getBigInt64(index * callBytes),
    hookId: view.getBigInt64(index * callBytes + 8),
  }))
}
