import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openFolderSource } from '#src/adapters/folder/folder-source.ts'
import { blockPath } from '#src/domain/block-name.ts'
import type { BlockSupply } from '#src/importer/block-sources/block-supply.ts'
import { BucketBlocks } from '#src/importer/block-sources/bucket-blocks.ts'
import type { ProofChecker } from '#src/importer/block-stream/prove-block.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'
import { openPairings } from '#src/tss/pairings/open.ts'
import { createProofVerifier } from '#src/tss/proof-verifier.ts'

/** Blocks of a folder that is laid out like a bucket. */
export function folderBlocks(folder: string, network: string, blockBytesMax = 64 << 20): BlockSupply {
  const source = openFolderSource({ folder })
  return new BucketBlocks({ source, network, folder: undefined, blockBytesMax, aheadMax: 4, now: Date.now })
}

/** Puts a block file where a bucket has it. */
export function putBlock(file: string, number: bigint, folder: string, network: string): void {
  const extension = /\.blk(\.\w+)?$/.exec(file)?.[1] ?? ''
  const path = join(folder, network, 'block', `${blockPath(number)}.blk${extension}`)
  mkdirSync(dirname(path), { recursive: true })
  copyFileSync(file, path)
}

/** A source without record files, for who imports blocks alone. */
export const noFiles: StreamSource = {
  description: 'nowhere',
  list: async () => [],
  listFolders: async () => [],
  fetch: async () => undefined,
  waitForChange: async () => undefined,
  close: async () => undefined,
}

/** Checks proofs on this thread. */
export async function inlineChecker(): Promise<ProofChecker> {
  const verifier = createProofVerifier({ pairings: await openPairings('fast') })
  return { check: async ({ ledger, ...job }) => verifier.verify(ledger, job) }
}
