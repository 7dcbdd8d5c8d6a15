import type { CustomFee, TokenID, TransactionRecorded } from '#schemas/events/types.ts'
import { accountNumber, numberOf } from '#src/events/ids.ts'
import { hasMovedTokens, hasSucceeded } from '#src/events/success.ts'

/** What a transaction does to the relation of an account and a token, apart from moving units. */
export interface RelationChange {
  readonly account: bigint
  readonly token: bigint
  /**
   * create: a new relation in place of what there was; claim: the same unless there is one; keep: there is one, as it was;
   * end: there is none any more.
   */
  readonly effect: 'create' | 'claim' | 'keep' | 'end'
}

export const relationFields = [
  'successful',
  'result',
  'tokenTransfers',
  'nftTransfers',
  'entityId',
  'record',
  'tokenCreation',
  'tokenAssociate',
  'tokenDissociate',
  'tokenFreeze',
  'tokenUnfreeze',
  'tokenGrantKyc',
  'tokenRevokeKyc',
  'tokenClaimAirdrop',
] as const

type Facts = Pick<TransactionRecorded, (typeof relationFields)[number]>

const none: readonly RelationChange[] = []

/** What a transaction does to relations, in order: what its body asks for where it succeeded, else what moving tokens brought about. */
export function relationChanges(facts: Facts): readonly RelationChange[] {
  if (!hasMovedTokens(facts)) return none
  return (hasSucceeded(facts) ? asked(facts) : undefined) ?? automatic(facts)
}

/** undefined where the body says nothing of relations. */
function asked(facts: Facts): readonly RelationChange[] | undefined {
  const { entityId, tokenCreation, tokenAssociate, tokenDissociate, tokenClaimAirdrop } = facts
  if (tokenCreation !== null) return entityId === null ? none : creation(facts, entityId)
  if (tokenAssociate !== null && entityId !== null) return changes(entityId, tokenAssociate.tokens, 'create')
  if (tokenDissociate !== null && entityId !== null) return changes(entityId, tokenDissociate.tokens, 'end')
  if (tokenClaimAirdrop !== null) return claims(facts)
  const kept = facts.tokenFreeze ?? facts.tokenUnfreeze ?? facts.tokenGrantKyc ?? facts.tokenRevokeKyc
  return kept !== null && entityId !== null && kept.token !== null ? changes(entityId, [kept.token], 'keep') : undefined
}

function automatic({ record }: Facts): readonly RelationChange[] {
  const associations = record?.automaticTokenAssociations ?? []
  if (associations.length === 0) return none
  return associations.map(({ accountId, tokenId }) => ({
    account: accountNumber(accountId),
    token: numberOf(tokenId),
    effect: 'create' as const,
  }))
}

function changes(account: bigint, tokens: readonly TokenID[], effect: RelationChange['effect']): RelationChange[] {
  return tokens.map((token) => ({ account, token: numberOf(token), effect }))
}

/** Who begins with the token: whom the record names, else the treasury and who collects fees in it. */
function creation({ record, tokenCreation }: Facts, token: bigint): RelationChange[] {
  const automatic = record?.automaticTokenAssociations ?? []
  const { treasury = null, customFees = [] } = tokenCreation ?? {}
  const accounts =
    automatic.length > 0
      ? automatic.map(({ accountId }) => accountNumber(accountId))
      : [treasury, ...customFees.filter(collectsToken(token)).map((fee) => fee.feeCollectorAccountId)].map(
          accountNumber,
        )
  return [...new Set(accounts)]
    .filter((account) => account !== 0n)
    .map((account) => ({ account, token, effect: 'create' as const }))
}

/** Collectors of fractional fees, and of fixed fees in the new token, which a body names 0.0.0, receive the token itself. */
function collectsToken(token: bigint): (fee: CustomFee) => boolean {
  return ({ fixedFee, fractionalFee }) => {
    if (fractionalFee !== null) return true
    if (fixedFee?.denominatingTokenId == null) return false
    const denominating = numberOf(fixedFee.denominatingTokenId)
    return denominating === 0n || denominating === token
  }
}

function claims(facts: Facts): RelationChange[] {
  return (facts.tokenClaimAirdrop?.pendingAirdrops ?? []).flatMap(
    ({ receiverId, fungibleTokenType, nonFungibleToken }) => {
      const token = numberOf(fungibleTokenType ?? nonFungibleToken?.token_ID ?? null)
      const named = accountNumber(receiverId)
      const accounts = named === 0n ? receiversOf(token, facts) : [named]
      return token === 0n ? [] : accounts.map((account) => ({ account, token, effect: 'claim' as const }))
    },
  )
}

/** Who claims by an alias is told by what the record moves, which has accounts by number. */
function receiversOf(token: bigint, { tokenTransfers, nftTransfers }: Facts): bigint[] {
  const fungible = tokenTransfers.filter(({ tokenId, amount }) => tokenId === token && amount > 0n)
  const unique = nftTransfers.filter(({ tokenId }) => tokenId === token)
  const receivers = [...fungible.map(({ accountId }) => accountId), ...unique.map((each) => each.receiverAccountId)]
  return receivers.filter((account) => account !== null)
}
