import { formatCount } from '#src/runtime/watch/status.ts'

/** `1 block`, `1,234 blocks`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}
