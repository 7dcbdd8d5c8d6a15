/** What this version knows of a public network. */
export interface PublicNetwork {
  /** Bucket of its record files, at both providers. */
  readonly recordBucket: string
  /** Bucket of the blocks that it writes from its cutover on. */
  readonly blockBucket: string | undefined
  /** Whether it moves from record files to block streams while this version is in use. */
  readonly movesToBlocks: boolean
  /** Base64 of the serialized ledger id publication, which says whose signature proves its blocks; undefined: not published yet. */
  readonly ledgerPublication: string | undefined
}

export const publicNetworks: Readonly<Record<string, PublicNetwork>> = {
  mainnet: {
    recordBucket: 'hedera-mainnet-streams',
    blockBucket: 'hedera-mainnet-recent-block-streams',
    movesToBlocks: true,
    ledgerPublication: undefined,
  },
  testnet: {
    recordBucket: 'hedera-testnet-streams-2024-02',
    blockBucket: 'hedera-testnet-recent-block-streams',
    movesToBlocks: true,
    ledgerPublication: undefined,
  },
  previewnet: {
    recordBucket: 'hedera-preview-testnet-streams',
    blockBucket: 'hedera-previewnet-recent-block-streams',
    movesToBlocks: false,
    ledgerPublication: undefined,
  },
  demo: {
    recordBucket: 'hedera-demo-streams',
    blockBucket: undefined,
    movesToBlocks: false,
    ledgerPublication: undefined,
  },
}

/** Name of the network whose record files or blocks are in a bucket of this name. */
export function networkOfBucket(bucket: string): string | undefined {
  return Object.entries(publicNetworks).find(
    ([, { recordBucket, blockBucket }]) => bucket === recordBucket || bucket === blockBucket,
  )?.[0]
}
