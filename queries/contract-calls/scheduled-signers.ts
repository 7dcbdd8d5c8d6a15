import type {
  AccountAmount,
  AccountID,
  CryptoTransferTransactionBody,
  SchedulableTransactionBody,
  TokenCreateTransactionBody,
  TokenID,
} from '#schemas/events/types.ts'
import { keyBytes } from '#src/events/key-bytes.ts'
import type { Signers } from '#src/evm/schedule-facts.ts'
import { noSigners } from '#src/evm/schedule-facts.ts'
import type { TokenKeyKind } from '#src/evm/token-facts.ts'

type Id = AccountID | null

/** Who has to sign what is scheduled, beside who pays for it; undefined where that takes more than tokens and accounts. */
export function signersOf(body: SchedulableTransactionBody): Signers | undefined {
  if (body.cryptoTransfer !== null) return accounts(sendersOf(body.cryptoTransfer))
  if (body.tokenCreation !== null) return creatorsOf(body.tokenCreation)
  if (body.contractCall !== null || body.utilPrng !== null) return noSigners
  return ofTokens(body) ?? ofAccounts(body)
}

function accounts(ids: readonly Id[]): Signers {
  const numbers = ids.flatMap((id) => (id?.accountNum == null ? [] : [id.accountNum]))
  return { ...noSigners, accounts: [...new Set(numbers)] }
}

/** Whoever gives something, unless he allowed another one to. Receivers that want to be asked are not known here. */
function sendersOf({ transfers, tokenTransfers }: CryptoTransferTransactionBody): Id[] {
  const senders = (amounts: readonly AccountAmount[]) =>
    amounts.filter(({ amount, isApproval }) => amount < 0n && !isApproval).map(({ accountID }) => accountID)
  return [
    ...senders(transfers?.accountAmounts ?? []),
    ...tokenTransfers.flatMap((list) => [
      ...senders(list.transfers),
      ...list.nftTransfers.filter(({ isApproval }) => !isApproval).map(({ senderAccountID }) => senderAccountID),
    ]),
  ]
}

function creatorsOf({ treasury, autoRenewAccount, adminKey }: TokenCreateTransactionBody): Signers {
  return { ...accounts([treasury, autoRenewAccount]), keys: adminKey === null ? [] : [keyBytes(adminKey)] }
}

function ofTokens(body: SchedulableTransactionBody): Signers | undefined {
  const named: readonly (readonly [TokenKeyKind, { readonly token: TokenID | null } | null])[] = [
    ['supply', body.tokenMint],
    ['supply', body.tokenBurn],
    ['freeze', body.tokenFreeze],
    ['freeze', body.tokenUnfreeze],
    ['kyc', body.tokenGrantKyc],
    ['kyc', body.tokenRevokeKyc],
    ['wipe', body.tokenWipe],
    ['pause', body.tokenPause],
    ['pause', body.tokenUnpause],
    ['admin', body.tokenDeletion],
    ['admin', body.tokenUpdate],
    ['metadata', body.tokenUpdateNfts],
  ]
  const fees = body.tokenFeeScheduleUpdate
  const all = [...named, ['feeSchedule', fees && { token: fees.tokenId }] as const]
  const tokenKeys = all.flatMap(([kind, of]) => (of?.token ? [{ token: of.token.tokenNum, kind }] : []))
  return tokenKeys.length === 0 ? undefined : { ...noSigners, tokenKeys }
}

function ofAccounts(body: SchedulableTransactionBody): Signers | undefined {
  const { cryptoDelete, cryptoUpdateAccount, cryptoApproveAllowance, tokenAssociate, tokenDissociate } = body
  if (cryptoDelete !== null) return accounts([cryptoDelete.deleteAccountID])
  if (cryptoUpdateAccount !== null) {
    const { accountIDToUpdate, key } = cryptoUpdateAccount
    return { ...accounts([accountIDToUpdate]), keys: key === null ? [] : [keyBytes(key)] }
  }
  if (cryptoApproveAllowance !== null) {
    const { cryptoAllowances, tokenAllowances, nftAllowances } = cryptoApproveAllowance
    return accounts([...cryptoAllowances, ...tokenAllowances, ...nftAllowances].map(({ owner }) => owner))
  }
  if (tokenAssociate !== null) return accounts([tokenAssociate.account])
  if (tokenDissociate !== null) return accounts([tokenDissociate.account])
  return undefined
}
