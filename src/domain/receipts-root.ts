import { rlpOfBytes, rlpOfList, wholeBytes } from '#src/domain/rlp-digits.ts'
import { trieRoot } from '#src/domain/trie-root.ts'

/** What the EVM is told of a log, as hex digits: 20 bytes, words, bytes. */
export interface ReceiptLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** What is left of a transaction that the EVM sees. */
export interface Receipt {
  /** Place among those of its block. */
  readonly transactionIndex: number
  /** Of Ethereum's types; 0 for what is none of its transactions. */
  readonly type: number
  readonly succeeded: boolean
  readonly gasUsed: bigint
  /** Hex digits of 256 bytes; none of what never ran in the EVM. */
  readonly bloom: string
  readonly logs: () => readonly ReceiptLog[]
}

/** Of a block without receipts. */
export const noReceiptsRoot: Buffer = Buffer.alloc(32)

const [success, failure] = ['01', '']

/**
 * Root of the trie of a block's receipts, as relays of the network compute it from what they are answered. It differs from
 * Ethereum's where a transaction and those before it used no gas, which is a zero byte here and no byte there; where a transaction
 * never ran in the EVM, whose filter is empty here; and where there are no receipts. Of two with one index the later one counts.
 */
export function receiptsRoot(receipts: readonly Receipt[]): Buffer {
  if (receipts.length === 0) return noReceiptsRoot
  let gas = 0n
  const entries = receipts
    .toSorted((a, b) => a.transactionIndex - b.transactionIndex)
    .map((receipt) => {
      gas += receipt.gasUsed
      const { transactionIndex } = receipt
      const cumulativeGas = wholeBytes(gas)
      const key = rlpOfBytes(transactionIndex === 0 ? '' : wholeBytes(transactionIndex))
      return { transactionIndex, key, value: () => encode(receipt, cumulativeGas) }
    })
  return trieRoot(entries.filter((each, place) => each.transactionIndex !== entries[place + 1]?.transactionIndex))
}

/** EIP-658, and EIP-2718 for the types that came with it. */
function encode({ type, succeeded, bloom, logs }: Receipt, cumulativeGas: string): string {
  let shown = ''
  for (const { address, topics, data } of logs())
    shown += rlpOfList(rlpOfBytes(address) + rlpOfList(topics.map(rlpOfBytes).join('')) + rlpOfBytes(data))
  const status = rlpOfBytes(succeeded ? success : failure)
  const encoded = rlpOfList(status + rlpOfBytes(cumulativeGas) + rlpOfBytes(bloom) + rlpOfList(shown))
  return type === 0 ? encoded : wholeBytes(type) + encoded
}
