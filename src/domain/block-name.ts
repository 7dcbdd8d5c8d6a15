const digits = 19

/** `0000000000000000007.blk`: the name of a block that came from a stream. */
export function blockName(number: bigint): string {
  return `${number.toString().padStart(digits, '0')}.blk`
}

/** `0000/0000/0002/6591/040`: where a bucket keeps a block, below its folder and without extension. */
export function blockPath(number: bigint): string {
  const text = number.toString().padStart(digits, '0')
  return text.replace(/(\d{4})/g, '$1/')
}
