import { evmAddressBytes } from '#src/domain/evm-address.ts'
import { paddedWord } from '#src/domain/evm-words.ts'
import { bloomOf, uniteBlooms } from '#src/domain/log-bloom.ts'
import type { TracedLog } from '#src/importer/block/records/evm/evm-trace.ts'
import type { MessageId } from '#src/importer/block/records/ids.ts'
import { MessageWriter } from '#src/importer/block/records/message-writer.ts'

export interface WrittenLogs {
  /** Serialized ContractLoginfos. */
  readonly logs: readonly Buffer[]
  /** 256 bytes; undefined without any log. */
  readonly bloom: Buffer | undefined
}

const writer = new MessageWriter()

/** The logs of a result with their filters, which a block leaves to be computed. */
export function writeLogs(traced: readonly TracedLog[], addressOf: (contract: MessageId) => Buffer): WrittenLogs {
  let bloom: Buffer | undefined
  const logs = traced.map(({ contractId, contract, data, topics }) => {
    const words = topics.map(paddedWord)
    const own = bloomOf(addressOf(contract), words)
    bloom = bloom ? uniteBlooms(bloom, own) : own
    writer.message(1, contractId)
    writer.bytes(2, own)
    writer.messages(3, words)
    writer.bytes(4, data)
    return writer.finish()
  })
  return { logs, bloom }
}

/** Twelve zero bytes and the number: the address of a contract that has none of its own. */
export function longZeroOf({ number = 0n, alias }: MessageId): Buffer {
  if (alias?.length === evmAddressBytes) return alias
  const address = Buffer.alloc(evmAddressBytes)
  address.writeBigInt64BE(number, 12)
  return address
}
