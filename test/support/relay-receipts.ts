import { createMPT } from '@ethereumjs/mpt'
import { bytesToHex, type Hex, hexToBytes, toRlp } from 'viem'

/** What of a row of `/contracts/results` becomes part of a receipt. */
export interface ListedResult {
  readonly hash: string
  readonly transaction_index: number
  readonly type: number
  readonly status: string
  readonly gas_used: number | bigint | null
  readonly bloom: string
}

/** The same of a row of `/contracts/results/logs`. */
export interface ListedLog {
  readonly transaction_hash: string
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/**
 * The root of a block's receipts as JSON-RPC relays make it of all results and logs of its time, ascending, on libraries of others.
 * Numbers go through hex digits, of which 0 has one.
 */
export async function relayReceiptsRoot(results: readonly ListedResult[], logs: readonly ListedLog[]): Promise<Hex> {
  if (results.length === 0) return `0x${'00'.repeat(32)}`
  const logsByHash = Map.groupBy(logs, (log) => log.transaction_hash)
  const ordered = [...new Map(results.map((result) => [result.hash, result])).values()].sort(
    (a, b) => a.transaction_index - b.transaction_index,
  )
  const trie = await createMPT()
  let gas = 0n
  for (const { hash, transaction_index: index, type, status, gas_used: gasUsed, bloom } of ordered) {
    gas += BigInt(gasUsed ?? 0)
    const encoded = toRlp([
      status === '0x1' ? '0x01' : '0x',
      `0x${wholeBytes(gas)}`,
      bloom as Hex,
      (logsByHash.get(hash) ?? []).map(({ address, topics, data }) => [address as Hex, topics as Hex[], data as Hex]),
    ])
    const key = toRlp(index === 0 ? '0x' : `0x${wholeBytes(index)}`)
    await trie.put(hexToBytes(key), hexToBytes(type === 0 ? encoded : `0x0${type}${encoded.slice(2)}`))
  }
  return bytesToHex(trie.root())
}

function wholeBytes(value: number | bigint): string {
  const digits = value.toString(16)
  return digits.length % 2 === 0 ? digits : `0${digits}`
}
