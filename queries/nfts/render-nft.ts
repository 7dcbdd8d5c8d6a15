import type { ShownNft } from '#queries/nfts/show-nfts.ts'
import { base64Texts } from '#src/domain/base64-texts.ts'
import { idText, timeText } from '#src/domain/json-text.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

/** JSON texts of NFTs. */
export function renderNfts(nfts: readonly ShownNft[]): string[] {
  const metadata = base64Texts(nfts.map((nft) => nft.metadata))
  return nfts.map((nft, index) => renderNft(nft, nft.metadata === null ? 'null' : `"${metadata[index]}"`))
}

function renderNft(nft: ShownNft, metadata: string): string {
  return (
    `{"account_id":${idText(nft.owner)},"created_timestamp":${timeText(nft.created)},` +
    `"delegating_spender":${idText(nft.delegatingSpender)},"deleted":${nft.deleted},"metadata":${metadata},` +
    `"modified_timestamp":"${formatLedgerTime(nft.modified)}","serial_number":${nft.serial},` +
    `"spender":${idText(nft.spender)},"token_id":${idText(nft.token)}}`
  )
}
