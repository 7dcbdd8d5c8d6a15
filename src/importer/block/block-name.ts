const digits = 19
const extension = /^(\d{1,19})\.blk(?:\.gz|\.zstd)?$/

/** `0000000000000000007.blk`: the name of a block that came from a stream. */
export function blockName(number: bigint): string {
  return `${number.toString().padStart(digits, '0')}.blk`
}

/** Number of the block in a file of this name, `7.blk.gz` or `0000000000000000007.blk.zstd`; undefined when it is none. */
export function parseBlockName(name: string): bigint | undefined {
  const number = extension.exec(name)?.[1]
  return number === undefined ? undefined : BigInt(number)
}

/** `0000/0000/0002/6591/040`: where a bucket keeps a block, below its folder and without extension. */
export function blockPath(number: bigint): string {
  const text = number.toString().padStart(digits, '0')
  return text.replace(/(\d{4})/g, '$1/')
}
