import { defineObject } from '#queries/common/define-object.ts'
import { nullableText, text } from '#queries/common/object-schema.ts'
import type { ShownNft } from '#queries/nfts/show-nfts.ts'
import { base64Texts } from '#src/domain/base64-texts.ts'
import { idText, timeText } from '#src/domain/json-text.ts'

const timestamp = { ...text, description: 'Seconds and nanoseconds' }

interface NftWithText {
  readonly nft: ShownNft
  /** Base64 of its metadata. */
  readonly metadata: string
}

export const nftObject = defineObject<NftWithText>(
  {
    account_id: [{ ...nullableText, description: 'The owner; null when it has none' }, ({ nft }) => idText(nft.owner)],
    created_timestamp: [{ ...timestamp, nullable: true }, ({ nft }) => timeText(nft.created)],
    delegating_spender: [nullableText, ({ nft }) => idText(nft.delegatingSpender)],
    deleted: [{ type: 'boolean', description: 'Whether it or its token was deleted' }, ({ nft }) => nft.deleted],
    metadata: [
      { ...text, format: 'byte', nullable: true, description: 'Base64; null when unknown' },
      ({ nft, metadata }) => (nft.metadata === null ? null : `"${metadata}"`),
    ],
    modified_timestamp: [timestamp, ({ nft }) => timeText(nft.modified)],
    serial_number: [{ type: 'integer', format: 'int64' }, ({ nft }) => nft.serial],
    spender: [nullableText, ({ nft }) => idText(nft.spender)],
    token_id: [text, ({ nft }) => idText(nft.token)],
  },
  { title: 'Nft' },
)

/** JSON texts of NFTs. */
export function renderNfts(nfts: readonly ShownNft[]): string[] {
  const metadata = base64Texts(nfts.map((nft) => nft.metadata))
  return nfts.map((nft, index) => nftObject.render({ nft, metadata: metadata[index]! }))
}
