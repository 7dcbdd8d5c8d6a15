import type { KnownEntities } from '#queries/network-files/known-entities.ts'
import type {
  AccountAmount,
  AccountID,
  CryptoTransferTransactionBody,
  HookCall,
  NftTransfer,
  TokenTransferList,
} from '#schemas/events/types.ts'
import { functionalities } from '#src/domain/functionalities.ts'
import type { UsedExtra } from '#src/domain/network-files/fee-estimate.ts'
import { numberOf } from '#src/events/ids.ts'

/** A unit of gas for hooks beyond this costs no more. */
const hookGasMax = 15_000_000n

/** What a transfer is charged for; by the transaction alone where nothing is known of the ledger's state. */
export function transferUsage(
  { transfers, tokenTransfers }: CryptoTransferTransactionBody,
  known: KnownEntities | undefined,
): UsedExtra[] {
  const amounts = [transfers?.accountAmounts ?? [], ...tokenTransfers.map((list) => list.transfers)].flat()
  const nfts = tokenTransfers.flatMap(({ nftTransfers }) => nftTransfers)
  const accounts = new Set([
    ...amounts.map(({ accountID }) => nameOf(accountID)),
    ...nfts.flatMap(({ senderAccountID, receiverAccountID }) => [nameOf(senderAccountID), nameOf(receiverAccountID)]),
  ])
  return [
    { name: 'ACCOUNTS', count: accounts.size },
    ...hookUsage([...amounts.flatMap(hooksOfAmount), ...nfts.flatMap(hooksOfNft)]),
    ...tokenUsage(tokenTransfers, known),
  ]
}

/** What tells one account from another, whether by number or by alias. */
function nameOf(id: AccountID | null): string {
  if (id === null) return ''
  const { shardNum, realmNum, accountNum, alias } = id
  return `${shardNum}.${realmNum}.${alias === null ? (accountNum ?? 0n) : `alias ${alias.toString('hex')}`}`
}

interface CalledHook {
  readonly gasLimit: bigint
  /** 2 where it is called before and after. */
  readonly calls: number
}

function hooksOfAmount({ preTxAllowanceHook, prePostTxAllowanceHook }: AccountAmount): CalledHook[] {
  return [...called(preTxAllowanceHook, 1), ...called(prePostTxAllowanceHook, 2)]
}

function hooksOfNft(nft: NftTransfer): CalledHook[] {
  return [
    ...called(nft.preTxSenderAllowanceHook, 1),
    ...called(nft.prePostTxSenderAllowanceHook, 2),
    ...called(nft.preTxReceiverAllowanceHook, 1),
    ...called(nft.prePostTxReceiverAllowanceHook, 2),
  ]
}

function called(hook: HookCall | null, calls: number): CalledHook[] {
  return hook ? [{ gasLimit: BigInt.asUintN(64, hook.evmHookCall?.gasLimit ?? 0n), calls }] : []
}

function hookUsage(hooks: readonly CalledHook[]): UsedExtra[] {
  if (hooks.length === 0) return []
  const gas = hooks.reduce((sum, { gasLimit }) => sum + gasLimit, 0n)
  return [
    { name: 'HOOK_EXECUTION', count: hooks.reduce((sum, { calls }) => sum + calls, 0) },
    { name: 'GAS', count: Number(gas > hookGasMax ? hookGasMax : gas) },
  ]
}

/** What the tokens in a transfer or an airdrop cost, at the prices of a transfer. A token that is not known is fungible, without fees. */
export function tokenUsage(lists: readonly TokenTransferList[], known: KnownEntities | undefined): UsedExtra[] {
  const by = functionalities.CryptoTransfer
  const ofList = (list: TokenTransferList): number => {
    if (known === undefined) return list.transfers.length + list.nftTransfers.length
    return known.collections.has(numberOf(list.token)) ? list.nftTransfers.length : 1
  }
  const types: UsedExtra = { name: 'TOKEN_TYPES', count: lists.reduce((sum, list) => sum + ofList(list), 0), by }
  if (known === undefined || lists.length === 0) return [types]
  const hasFees = lists.some(({ token }) => known.tokensWithFees.has(numberOf(token)))
  return [{ name: hasFees ? 'TOKEN_TRANSFER_BASE_CUSTOM_FEES' : 'TOKEN_TRANSFER_BASE', count: 1, by }, types]
}
