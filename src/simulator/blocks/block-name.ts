const digits = 19
const folderDigits = 4
export const blockSuffix = '.blk.zstd'

/** `0000000000000000007.blk.zstd` */
export function blockName(number: number): string {
  return `${String(number).padStart(digits, '0')}${blockSuffix}`
}

/** Of the file in the bucket: `simulated/block/0000/0000/0000/0000/007.blk.zstd`. */
export function blockPath(network: string, number: number): string {
  const text = String(number).padStart(digits, '0')
  const folders = Array.from({ length: Math.floor(digits / folderDigits) }, (_, index) =>
    text.slice(index * folderDigits, (index + 1) * folderDigits),
  )
  return [blockFolder(network), ...folders, `${text.slice(folders.length * folderDigits)}${blockSuffix}`].join('/')
}

export function blockFolder(network: string): string {
  return `${network}/block`
}
