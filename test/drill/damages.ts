import { closeSync, existsSync, openSync, readSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** What a disk, a file system or a person does to a file. */
const damageKinds = ['flip', 'scribble', 'truncate', 'remove', 'swap'] as const
export type DamageKind = (typeof damageKinds)[number]

export interface Damage {
  readonly file: string
  readonly kind: DamageKind
}

const sectorBytes = 4_096

/** Damages one of these files below a folder in a way that the random numbers choose; undefined where it is not there. */
export function damage(folder: string, files: readonly string[], random: () => number): Damage | undefined {
  const below = (count: number): number => Math.floor(random() * count)
  const file = files[below(files.length)]!
  const kind = damageKinds[below(damageKinds.length)]!
  const path = join(folder, file)
  if (!existsSync(path) || statSync(path).size < 2 * sectorBytes) return undefined
  if (kind === 'remove') rmSync(path)
  else if (kind === 'truncate') truncateSync(path, below(statSync(path).size))
  else rewrite(path, kind, below)
  return { file, kind }
}

function rewrite(path: string, kind: 'flip' | 'scribble' | 'swap', below: (count: number) => number): void {
  const { size } = statSync(path)
  const descriptor = openSync(path, 'r+')
  try {
    if (kind === 'swap') {
      const [a, b] = [below(Math.floor(size / sectorBytes)), below(Math.floor(size / sectorBytes))]
      const [first, second] = [
        read(descriptor, a * sectorBytes, sectorBytes),
        read(descriptor, b * sectorBytes, sectorBytes),
      ]
      writeSync(descriptor, first, 0, sectorBytes, b * sectorBytes)
      writeSync(descriptor, second, 0, sectorBytes, a * sectorBytes)
      return
    }
    const length = kind === 'flip' ? 1 : 64
    const at = below(size - length)
    const bytes = read(descriptor, at, length)
    for (let index = 0; index < length; index++) bytes[index]! ^= kind === 'flip' ? 1 << below(8) : 1 + below(255)
    writeSync(descriptor, bytes, 0, length, at)
  } finally {
    closeSync(descriptor)
  }
}

function read(descriptor: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(descriptor, bytes, 0, length, at)
  return bytes
}
