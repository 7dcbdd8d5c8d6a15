import type { ShownNft } from '#queries/nfts/show-nfts.ts'
import { base64Texts } from '#src/domain/base64-texts.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

/** JSON texts of NFTs. */
export function renderNfts(nfts: readonly ShownNft[]): string[] {
  const metadata = base64Texts(nfts.map((nft) => nft.metadata))
  return nfts.map((nft, index) => renderNft(nft, nft.metadata === null ? 'null' : `"${metadata[index]}"`))
}

function renderNft(nft: ShownNft, metadata: string): string {
  return (
    `{"account_id":${id(nft.owner)},"created_timestamp":${nft.created === null ? 'null' : `"${formatLedgerTime(nft.created)}"`},` +
    `"delegating_spender":${id(nft.delegatingSpender)},"deleted":${nft.deleted},"metadata":${metadata},` +
    `"modified_timestamp":"${formatLedgerTime(nft.modified)}","serial_number":${nft.serial},` +
    `"spender":${id(nft.spender)},"token_id":${id(nft.token)}}`
  )
}

function id(value: bigint | null): string {
  return value === null || value === 0n ? 'null' : `"${formatEntityId(value)}"`
}
