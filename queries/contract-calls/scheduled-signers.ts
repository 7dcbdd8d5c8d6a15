import type {
  AccountAmount,
  AccountID,
  ContractID,
  Key,
  SchedulableTransactionBody,
  TokenID,
  TokenTransferList,
} from '#schemas/events/types.ts'
import { keyBytes } from '#src/events/key-bytes.ts'
import type { Signers } from '#src/evm/schedule-facts.ts'
import { noSigners } from '#src/evm/schedule-facts.ts'
import type { TokenKeyKind } from '#src/evm/token-facts.ts'

type Bodies = SchedulableTransactionBody
type SignersOf<Body> = (body: Body) => Signers | undefined

interface Stated {
  readonly accounts?: readonly (AccountID | null)[]
  readonly keys?: readonly (Key | null)[]
}

function signedBy({ accounts = [], keys = [] }: Stated): Signers {
  const numbers = accounts.flatMap((id) => (id?.accountNum == null ? [] : [id.accountNum]))
  return {
    ...noSigners,
    accounts: [...new Set(numbers)],
    keys: keys.filter((key) => key !== null).map(keyBytes),
  }
}

const payerAlone = (): Signers => noSigners

function byTokenKey(kind: TokenKeyKind): SignersOf<{ readonly token: TokenID | null }> {
  return ({ token }) => (token === null ? undefined : { ...noSigners, tokenKeys: [{ token: token.tokenNum, kind }] })
}

/** A new key of a contract signs for itself; one that is a contract can't, and need not. */
function ofNewKey(key: Key | null): readonly (Key | null)[] {
  return key?.contractID == null ? [key] : []
}

/** A contract's own key, and what else there is; undefined where an address names it. */
function byContract(id: ContractID | null, besides: Stated = {}): Signers | undefined {
  if (id?.contractNum == null) return undefined
  const signers = signedBy(besides)
  return { ...signers, accounts: [id.contractNum, ...signers.accounts] }
}

/** Whoever gives something, unless he allowed another one to. Receivers that want to be asked are not known here. */
function sendersOf(hbar: readonly AccountAmount[], tokens: readonly TokenTransferList[]): Signers {
  const senders = (amounts: readonly AccountAmount[]) =>
    amounts.filter(({ amount, isApproval }) => amount < 0n && !isApproval).map(({ accountID }) => accountID)
  const ofTokens = tokens.flatMap(({ transfers, nftTransfers }) => [
    ...senders(transfers),
    ...nftTransfers.filter(({ isApproval }) => !isApproval).map(({ senderAccountID }) => senderAccountID),
  ])
  return signedBy({ accounts: [...senders(hbar), ...ofTokens] })
}

/** Who has to sign beside the payer, by what is scheduled. Changes of topics, files and nodes need keys that calls do not read. */
const signersByKind: { readonly [K in keyof Bodies]?: SignersOf<NonNullable<Bodies[K]>> } = {
  contractCall: payerAlone,
  contractCreateInstance: ({ adminKey, autoRenewAccountId }) =>
    signedBy({ accounts: [autoRenewAccountId], keys: ofNewKey(adminKey) }),
  // Who extends a contract alone need not be its owner.
  contractUpdateInstance: ({ contractID, adminKey, autoRenewAccountId, expirationTime }) =>
    expirationTime === null
      ? byContract(contractID, { accounts: [autoRenewAccountId], keys: ofNewKey(adminKey) })
      : undefined,
  contractDeleteInstance: ({ contractID }) => byContract(contractID),
  consensusCreateTopic: ({ adminKey, autoRenewAccount }) =>
    signedBy({ accounts: [autoRenewAccount], keys: [adminKey] }),
  cryptoApproveAllowance: ({ cryptoAllowances, tokenAllowances, nftAllowances }) =>
    signedBy({ accounts: [...cryptoAllowances, ...tokenAllowances, ...nftAllowances].map(({ owner }) => owner) }),
  // The key of an alias that is another one signs, too.
  cryptoCreateAccount: ({ key, receiverSigRequired, alias }) =>
    alias.length === 0 ? signedBy({ keys: receiverSigRequired ? [key] : [] }) : undefined,
  cryptoDelete: ({ deleteAccountID }) => signedBy({ accounts: [deleteAccountID] }),
  cryptoDeleteAllowance: ({ nftAllowances }) => signedBy({ accounts: nftAllowances.map(({ owner }) => owner) }),
  cryptoTransfer: ({ transfers, tokenTransfers }) => sendersOf(transfers?.accountAmounts ?? [], tokenTransfers),
  cryptoUpdateAccount: ({ accountIDToUpdate, key }) => signedBy({ accounts: [accountIDToUpdate], keys: [key] }),
  fileCreate: ({ keys }) => signedBy({ keys: keys?.keys ?? [] }),
  freeze: payerAlone,
  systemDelete: payerAlone,
  systemUndelete: payerAlone,
  tokenAirdrop: ({ tokenTransfers }) => sendersOf([], tokenTransfers),
  tokenAssociate: ({ account }) => signedBy({ accounts: [account] }),
  tokenBurn: byTokenKey('supply'),
  tokenCancelAirdrop: ({ pendingAirdrops }) => signedBy({ accounts: pendingAirdrops.map(({ senderId }) => senderId) }),
  tokenClaimAirdrop: ({ pendingAirdrops }) =>
    signedBy({ accounts: pendingAirdrops.map(({ receiverId }) => receiverId) }),
  tokenCreation: ({ treasury, autoRenewAccount, adminKey }) =>
    signedBy({ accounts: [treasury, autoRenewAccount], keys: [adminKey] }),
  tokenDeletion: byTokenKey('admin'),
  tokenDissociate: ({ account }) => signedBy({ accounts: [account] }),
  tokenFeeScheduleUpdate: ({ tokenId }) => byTokenKey('feeSchedule')({ token: tokenId }),
  tokenFreeze: byTokenKey('freeze'),
  tokenGrantKyc: byTokenKey('kyc'),
  tokenMint: byTokenKey('supply'),
  tokenPause: byTokenKey('pause'),
  tokenReject: ({ owner }) => signedBy({ accounts: [owner] }),
  tokenRevokeKyc: byTokenKey('kyc'),
  tokenUnfreeze: byTokenKey('freeze'),
  tokenUnpause: byTokenKey('pause'),
  tokenUpdate: byTokenKey('admin'),
  tokenUpdateNfts: byTokenKey('metadata'),
  tokenWipe: byTokenKey('wipe'),
  utilPrng: payerAlone,
}

/** Who has to sign what is scheduled, beside who pays for it; undefined where that does not follow from it. */
export function signersOf(kind: string, body: unknown): Signers | undefined {
  const find = signersByKind[kind as keyof Bodies] as SignersOf<unknown> | undefined
  return find?.(body)
}
