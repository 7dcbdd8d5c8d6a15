import { entityIdOf } from '#src/domain/entity-id.ts'

interface NftTransfer {
  readonly sender_account_id: string | null
  readonly receiver_account_id: string | null
}

/** Senders and receivers of the NFT transfers in a transaction object. Only asked for while the NFT-only switch is on. */
export function nftAccounts(body: string): bigint[] {
  if (body.includes('"nft_transfers":[]')) return []
  const { nft_transfers: transfers } = JSON.parse(body) as { nft_transfers: readonly NftTransfer[] }
  const accounts = new Set<string>()
  for (const { sender_account_id: sender, receiver_account_id: receiver } of transfers) {
    if (sender !== null) accounts.add(sender)
    if (receiver !== null) accounts.add(receiver)
  }
  return [...accounts].map(idOf)
}

function idOf(text: string): bigint {
  const [shard = '0', realm = '0', number = '0'] = text.split('.')
  const id = entityIdOf(BigInt(shard), BigInt(realm), BigInt(number))
  if (id === undefined) throw new Error(`a stored transaction names the impossible account ${text}`)
  return id
}
