import type { Json } from '#test/oracle/simulated-ledger.ts'

const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** What accounts have of a token by its Transfer logs alone, by the words that stand for them there; nobody is left out. */
export function heldByLogs(logs: readonly Json[]): Map<string, bigint> {
  const held = new Map<string, bigint>()
  const add = (word: string, amount: bigint) => {
    if (BigInt(word) !== 0n) held.set(word, (held.get(word) ?? 0n) + amount)
  }
  for (const { topics, data } of logs) {
    if (topics[0] !== transfer) continue
    const [, sender, receiver] = topics
    add(sender, -BigInt(data))
    add(receiver, BigInt(data))
  }
  return held
}

/** The words that may stand for an account: its number, or its EVM address. */
export function wordsOf(num: number, evmAddress: string): string[] {
  const word = (hex: string) => `0x${hex.padStart(64, '0')}`
  return [word(num.toString(16)), word(evmAddress.replace(/^0x/, ''))]
}
