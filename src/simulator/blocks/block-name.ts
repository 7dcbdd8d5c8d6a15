import { blockName, blockPath } from '#src/domain/block-name.ts'

const packing = '.zstd'
export const blockSuffix = `.blk${packing}`

/** `0000000000000000007.blk.zstd` */
export function packedBlockName(number: number): string {
  return `${blockName(BigInt(number))}${packing}`
}

/** Of the file in the bucket: `simulated/block/0000/0000/0000/0000/007.blk.zstd`. */
export function bucketPath(network: string, number: number): string {
  return `${blockFolder(network)}/${blockPath(BigInt(number))}${blockSuffix}`
}

export function blockFolder(network: string): string {
  return `${network}/block`
}
