import type { ShownNft } from '#queries/nfts/show-nfts.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

/** JSON text of an NFT. */
export function renderNft(nft: ShownNft): string {
  const { metadata } = nft
  return (
    `{"account_id":${id(nft.owner)},"created_timestamp":${nft.created === null ? 'null' : `"${formatLedgerTime(nft.created)}"`},` +
    `"delegating_spender":${id(nft.delegatingSpender)},"deleted":${nft.deleted},` +
    `"metadata":${metadata === null ? 'null' : `"${Buffer.from(metadata).toString('base64')}"`},` +
    `"modified_timestamp":"${formatLedgerTime(nft.modified)}","serial_number":${nft.serial},` +
    `"spender":${id(nft.spender)},"token_id":${id(nft.token)}}`
  )
}

function id(value: bigint | null): string {
  return value === null || value === 0n ? 'null' : `"${formatEntityId(value)}"`
}
