import { accountIdOf, type FindName } from '#projections/entity-ids/resolve.ts'
import type { CryptoApproveAllowanceTransactionBody, TransactionRecorded } from '#schemas/events/types.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { numberOf } from '#src/events/ids.ts'
import { hasMovedTokens, hasSucceeded } from '#src/events/success.ts'

/** Fields of a transaction that NFTs depend on. */
export const nftFacts = [
  'type',
  'successful',
  'result',
  'consensusTimestamp',
  'payerAccountId',
  'nftTransfers',
  'record',
  'tokenMint',
  'tokenBurn',
  'tokenWipe',
  'tokenUpdateNfts',
  'tokenDissociate',
  'tokenDeletion',
  'cryptoApproveAllowance',
  'cryptoDeleteAllowance',
] as const

export type NftFacts = Pick<TransactionRecorded, (typeof nftFacts)[number]>

interface Approval {
  readonly spender: bigint
  readonly delegatingSpender: bigint | null
}

/** What changes of one NFT; what is left out stays. */
export interface NftChange {
  readonly token: bigint
  readonly serial: bigint
  /** null: nobody's any more. */
  readonly owner?: bigint | null
  readonly created?: bigint
  readonly deleted?: boolean
  readonly metadata?: Uint8Array | null
  readonly approval?: Approval | null
}

/** All that an account holds of a token goes to another one; null: it is gone. */
export interface HandOver {
  readonly token: bigint
  readonly sender: bigint
  readonly receiver: bigint | null
}

/** An approval for all serials, given or taken back. */
export interface AllowanceChange {
  readonly owner: bigint
  readonly spender: bigint
  readonly token: bigint
  readonly approved: boolean
}

/** What a transaction does to NFTs, in this order. */
export interface NftChanges {
  readonly deletedToken?: bigint
  readonly allowances?: readonly AllowanceChange[]
  readonly nfts?: readonly NftChange[]
  readonly handOver?: HandOver
  /** Accounts that give up a token: what they hold is gone if the token was deleted. */
  readonly dissociated?: readonly { readonly account: bigint; readonly token: bigint }[]
}

type Body = (facts: NftFacts, find: FindName) => NftChanges

/** By type number. Facts that came without their body say nothing beyond what moved. */
const bodies: readonly (Body | undefined)[] = tableOf([
  [transactionType.tokenDelete, ({ tokenDeletion: body }) => (body ? { deletedToken: numberOf(body.token) } : {})],
  [transactionType.tokenMint, minted],
  [transactionType.tokenBurn, ({ tokenBurn: body }) => (body ? destroyed(body) : {})],
  [transactionType.tokenWipe, ({ tokenWipe: body }) => (body ? destroyed(body) : {})],
  [transactionType.tokenDissociate, dissociated],
  [transactionType.cryptoApproveAllowance, approved],
  [transactionType.cryptoDeleteAllowance, disapproved],
  [transactionType.tokenUpdateNfts, described],
])

function tableOf(entries: readonly (readonly [type: number, body: Body])[]): (Body | undefined)[] {
  const table: (Body | undefined)[] = []
  for (const [type, body] of entries) table[type] = body
  return table
}

/** What a transaction does to NFTs; undefined for nearly all, which are passed over with a look at their type. */
export function nftChanges(facts: NftFacts, find: FindName): NftChanges | undefined {
  const body = bodies[facts.type]
  const moves = facts.nftTransfers.length > 0
  if (body === undefined && !moves) return undefined
  if (!hasMovedTokens(facts)) return undefined
  const own = (hasSucceeded(facts) && body?.(facts, find)) || {}
  return moves ? { ...own, nfts: [...(own.nfts ?? []), ...transferred(facts)], ...handedOver(facts) } : own
}

/** Serial number that stands for every NFT of the sender, at a change of treasury. */
const wildcard = -1n

/** The list ends with a wildcard. An entry without a receiver is one of a burn or wipe, whose body says what is gone. */
function transferred({ nftTransfers }: NftFacts): NftChange[] {
  const end = nftTransfers.findIndex(({ serialNumber }) => serialNumber === wildcard)
  return (end === -1 ? nftTransfers : nftTransfers.slice(0, end)).flatMap(
    ({ tokenId: token, serialNumber: serial, receiverAccountId: owner }) =>
      owner ? [{ token, serial, owner, approval: null }] : [],
  )
}

function handedOver({ nftTransfers }: NftFacts): Pick<NftChanges, 'handOver'> {
  const entry = nftTransfers.find(({ serialNumber }) => serialNumber === wildcard)
  if (!entry?.senderAccountId || !entry.receiverAccountId) return {}
  return { handOver: { token: entry.tokenId, sender: entry.senderAccountId, receiver: entry.receiverAccountId } }
}

/** Who owns them from now on is among the transfers. */
function minted({ tokenMint, record, consensusTimestamp: created }: NftFacts): NftChanges {
  if (tokenMint === null) return {}
  const token = numberOf(tokenMint.token)
  const nfts = (record?.receipt?.serialNumbers ?? []).map((serial, index) => {
    const metadata = tokenMint.metadata[index] ?? null
    return { token, serial, created, deleted: false, metadata, approval: null }
  })
  return { nfts }
}

type Serials = NonNullable<NftFacts['tokenBurn'] | NftFacts['tokenWipe']>

function destroyed({ token: id, serialNumbers }: Pick<Serials, 'token' | 'serialNumbers'>): NftChanges {
  const token = numberOf(id)
  return { nfts: serialNumbers.map((serial) => ({ token, serial, owner: null, deleted: true, approval: null })) }
}

function described({ tokenUpdateNfts: body }: NftFacts): NftChanges {
  if (!body?.metadata) return {}
  const { metadata } = body
  const token = numberOf(body.token)
  return { nfts: body.serialNumbers.map((serial) => ({ token, serial, metadata })) }
}

function dissociated({ tokenDissociate: body, consensusTimestamp: time }: NftFacts, find: FindName): NftChanges {
  const account = body && accountIdOf(body.account, find, time)
  return account ? { dissociated: body.tokens.map((token) => ({ account, token: numberOf(token) })) } : {}
}

/** Of several entries about one NFT, or of one owner, spender and token, the last in the list counts. */
function approved(facts: NftFacts, find: FindName): NftChanges {
  const { cryptoApproveAllowance: body } = facts
  if (body === null || body.nftAllowances.length === 0) return {}
  const entries = body.nftAllowances.flatMap((entry) => approvalOf(entry, facts, find))
  return {
    allowances: entries.flatMap(({ owner, spender, token, approvedForAll }) =>
      approvedForAll === null ? [] : [{ owner, spender, token, approved: approvedForAll }],
    ),
    nfts: entries.flatMap(({ owner, spender, delegatingSpender, token, serialNumbers }) =>
      serialNumbers.map((serial) => ({ token, serial, owner, approval: { spender, delegatingSpender } })),
    ),
  }
}

type Submitted = Pick<NftFacts, 'payerAccountId' | 'consensusTimestamp'>

/** Without an owner it is the payer's. One of an account that does not exist is passed over. */
function approvalOf(
  entry: CryptoApproveAllowanceTransactionBody['nftAllowances'][number],
  { payerAccountId, consensusTimestamp: time }: Submitted,
  find: FindName,
) {
  const owner = entry.owner ? accountIdOf(entry.owner, find, time) : payerAccountId
  const spender = accountIdOf(entry.spender, find, time)
  if (!owner || !spender) return []
  const delegatingSpender = accountIdOf(entry.delegatingSpender, find, time)
  return [{ ...entry, owner, spender, delegatingSpender, token: numberOf(entry.tokenId) }]
}

function disapproved(facts: NftFacts, find: FindName): NftChanges {
  const { cryptoDeleteAllowance: body, payerAccountId, consensusTimestamp: time } = facts
  const nfts = (body?.nftAllowances ?? []).flatMap(({ owner: id, tokenId, serialNumbers }) => {
    const owner = id ? accountIdOf(id, find, time) : payerAccountId
    const token = numberOf(tokenId)
    return owner ? serialNumbers.map((serial) => ({ token, serial, owner, approval: null })) : []
  })
  return { nfts }
}
