import { type RelationChange, relationChanges, relationFields } from '#projections/balances/relation-changes.ts'
import { beginRelation, changeRelation, isAssociated } from '#projections/tokens/relation-rows.ts'
import type { TokensSchema } from '#projections/tokens/schema.ts'
import { FreezeStatus, KycStatus } from '#projections/tokens/token-changes.ts'
import { changeSupply, type TokenRows } from '#projections/tokens/token-rows.ts'
import type { TransactionRecorded } from '#schemas/events/types.ts'
import { hasMovedTokens } from '#src/events/success.ts'
import type { Handler } from '#src/runtime/fold/projection.ts'

const reads = ['consensusTimestamp', ...relationFields] as const

type Facts = Pick<TransactionRecorded, (typeof reads)[number]>

interface Holding {
  readonly token: bigint
  readonly account: bigint
}

/** Who receives or sends what, each entry by itself. */
function holdings({ tokenTransfers, nftTransfers }: Facts): Holding[] {
  const nfts = nftTransfers.flatMap(({ tokenId: token, senderAccountId, receiverAccountId }) =>
    [senderAccountId, receiverAccountId].flatMap((account) => (account ? [{ token, account }] : [])),
  )
  return [...tokenTransfers.map(({ tokenId: token, accountId: account }) => ({ token, account })), ...nfts]
}

function movesTokens(facts: Facts): boolean {
  return (facts.tokenTransfers.length > 0 || facts.nftTransfers.length > 0) && hasMovedTokens(facts)
}

/** Relations of accounts to tokens: how they begin and end, and whether they are frozen or have passed KYC. */
export const relations: Handler<TokensSchema, 'TransactionRecorded', (typeof reads)[number]> = {
  reads,
  apply: (facts, rows) => {
    const changes = relationChanges(facts)
    for (const change of changes) if (change.effect !== 'end') begin(rows, change, facts)
    if (movesTokens(facts)) addImplied(facts, rows)
    for (const change of changes) if (change.effect === 'end') end(rows, change, facts)
  },
}

function addImplied(facts: Facts, rows: TokenRows): void {
  for (const holding of holdings(facts)) {
    if (rows.get('tokens', holding.token)?.whole === 1 || isAssociated(rows, holding)) continue
    changeRelation(rows, holding, facts.consensusTimestamp, { associated: 1 })
  }
}

function begin(rows: TokenRows, change: RelationChange, facts: Facts): void {
  const { consensusTimestamp: time } = facts
  if (change.effect === 'keep') changeRelation(rows, change, time, { associated: 1, ...statusOf(facts) })
  else if (change.effect === 'create' || !isAssociated(rows, change))
    beginRelation(rows, change, time, { automatic: isAutomatic(facts) ? 1 : 0, ...firstStatus(facts) })
}

function isAutomatic({ tokenCreation, tokenAssociate, tokenClaimAirdrop }: Facts): boolean {
  return tokenCreation === null && tokenAssociate === null && tokenClaimAirdrop === null
}

/** Who begins with the token is unfrozen and has KYC; everybody later has what the token gives. */
function firstStatus({ tokenCreation }: Facts) {
  if (tokenCreation === null) return { freezeStatus: null, kycStatus: null }
  const { freezeKey, kycKey } = tokenCreation
  return {
    freezeStatus: freezeKey === null ? FreezeStatus.notApplicable : FreezeStatus.unfrozen,
    kycStatus: kycKey === null ? KycStatus.notApplicable : KycStatus.granted,
  }
}

function statusOf({ tokenFreeze, tokenUnfreeze, tokenGrantKyc }: Facts) {
  if (tokenFreeze !== null) return { freezeStatus: FreezeStatus.frozen }
  if (tokenUnfreeze !== null) return { freezeStatus: FreezeStatus.unfrozen }
  return { kycStatus: tokenGrantKyc === null ? KycStatus.revoked : KycStatus.granted }
}

/** A single entry of the record takes away what the account had of a deleted token, units or NFTs: so much less there is of it. */
function end(rows: TokenRows, change: RelationChange, { consensusTimestamp: time, tokenTransfers }: Facts): void {
  changeRelation(rows, change, time, { associated: 0 })
  const { token: id } = change
  const [vanished, other] = tokenTransfers.filter(({ tokenId }) => tokenId === id)
  if (vanished === undefined || other !== undefined) return
  const token = rows.get('tokens', id)
  if (token !== undefined) changeSupply(rows, id, time, (supply) => supply + vanished.amount)
}
