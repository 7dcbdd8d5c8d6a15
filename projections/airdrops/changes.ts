import { type AirdropRow, airdropState } from '#projections/airdrops/schema.ts'
import { accountIdOf, type FindName } from '#projections/entity-ids/resolve.ts'
import type { PendingAirdropId, TransactionRecorded } from '#schemas/events/types.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { numberOf } from '#src/events/ids.ts'
import { hasSucceeded } from '#src/events/success.ts'

/** Fields of a transaction that airdrops depend on. */
export const airdropFacts = [
  'type',
  'successful',
  'result',
  'consensusTimestamp',
  'record',
  'tokenCancelAirdrop',
  'tokenClaimAirdrop',
] as const

type Facts = Pick<TransactionRecorded, (typeof airdropFacts)[number]>

type AirdropKey = Pick<AirdropRow, 'sender' | 'receiver' | 'token' | 'serial'>

/** What an airdrop is from now on. An amount of undefined is the one before. */
export interface AirdropChange extends AirdropKey, Pick<AirdropRow, 'state'> {
  readonly amount?: bigint | null
}

const none: readonly AirdropChange[] = []

/** What a transaction does to airdrops that wait for a claim; nearly all are passed over with a look at their type. */
export function airdropChanges(facts: Facts, find: FindName): readonly AirdropChange[] {
  switch (facts.type) {
    case transactionType.tokenAirdrop:
      return hasSucceeded(facts) ? begun(facts, find) : none
    case transactionType.tokenCancelAirdrop:
      return ended(facts, facts.tokenCancelAirdrop?.pendingAirdrops, airdropState('CANCELLED'), find)
    case transactionType.tokenClaimAirdrop:
      return ended(facts, facts.tokenClaimAirdrop?.pendingAirdrops, airdropState('CLAIMED'), find)
    default:
      return none
  }
}

/** Of a fungible token the record says what is pending altogether, an earlier airdrop to the same receiver included. */
function begun({ record, consensusTimestamp: time }: Facts, find: FindName): AirdropChange[] {
  return (record?.newPendingAirdrops ?? []).flatMap(({ pendingAirdropId, pendingAirdropValue }) => {
    const key = keyOf(pendingAirdropId, find, time)
    return key ? [{ ...key, state: airdropState('PENDING'), amount: pendingAirdropValue?.amount ?? null }] : []
  })
}

function ended(
  facts: Facts,
  ids: readonly PendingAirdropId[] | undefined,
  state: number,
  find: FindName,
): readonly AirdropChange[] {
  if (ids === undefined || !hasSucceeded(facts)) return none
  return ids.flatMap((id) => {
    const key = keyOf(id, find, facts.consensusTimestamp)
    return key ? [{ ...key, state }] : []
  })
}

function keyOf(id: PendingAirdropId | null, find: FindName, time: bigint): AirdropKey | undefined {
  if (id === null) return undefined
  const { senderId, receiverId, fungibleTokenType, nonFungibleToken: nft } = id
  const sender = accountIdOf(senderId, find, time)
  const receiver = accountIdOf(receiverId, find, time)
  const token = numberOf(fungibleTokenType ?? nft?.token_ID ?? null)
  if (sender === null || receiver === null || token === 0n) return undefined
  return { sender, receiver, token, serial: nft?.serialNumber ?? 0n }
}
