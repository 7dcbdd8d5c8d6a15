import { findFees } from '#queries/custom-fees/find-fees.ts'
import type { EstimateContext } from '#queries/network-files/reads.ts'
import type { TransactionBody } from '#src/events/decode/messages.ts'
import { numberOf } from '#src/events/ids.ts'

/** What the ledger's state says of the entities that a transaction names, as far as fees depend on it. Ids are encoded entity ids. */
export interface KnownEntities {
  readonly topicsWithFees: ReadonlySet<bigint>
  readonly tokensWithFees: ReadonlySet<bigint>
  readonly collections: ReadonlySet<bigint>
}

/** Tokens looked up before other requests get their turn: a network takes ten of them, a client may name thousands. */
const tokensAtOnce = 100
const nft = 1

/** Looks up what a transaction names. */
export async function findKnown(body: TransactionBody, context: EstimateContext): Promise<KnownEntities> {
  const { rows, pause } = context
  const topic = numberOf(body.consensusSubmitMessage?.topicID ?? null)
  const topicFees = topic === 0n ? undefined : await findFees(rows.topics, topic)
  const tokensWithFees = new Set<bigint>()
  const collections = new Set<bigint>()
  const tokens = tokensIn(body)
  for (let first = 0; first < tokens.length; first += tokensAtOnce) {
    const ids = tokens.slice(first, first + tokensAtOnce)
    const fees = await Promise.all(ids.map((id) => findFees(rows.tokens, id)))
    const keys = ids.map((id) => [id] as const)
    const known = await rows.tokens.begun('tokens', keys, ['id', 'type'])
    for (const row of known) if (row?.type === nft) collections.add(row.id)
    for (const [index, id] of ids.entries()) if (hasFees(fees[index])) tokensWithFees.add(id)
    await pause()
  }
  return { topicsWithFees: new Set(hasFees(topicFees) ? [topic] : []), tokensWithFees, collections }
}

function tokensIn({ cryptoTransfer, tokenAirdrop }: TransactionBody): bigint[] {
  const lists = cryptoTransfer?.tokenTransfers ?? tokenAirdrop?.tokenTransfers ?? []
  return [...new Set(lists.map(({ token }) => numberOf(token)))]
}

type Fees = NonNullable<Awaited<ReturnType<typeof findFees>>>

function hasFees(fees: Fees | undefined): boolean {
  return fees !== undefined && fees.fixedFees.length + fees.fractionalFees.length + fees.royaltyFees.length > 0
}
