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

/**
 * The logs of a result with their filters, which a block leaves to be computed. The network makes them of the address that a contract's number
 * stands for, also where the EVM knows it by another one.
 */
export function writeLogs(traced: readonly TracedLog[]): WrittenLogs {
  let bloom: Buffer | undefined
  const logs = traced.map(({ contractId, contract, data, topics }) => {
    const words = topics.map(paddedWord)
    const own = bloomOf(longZeroOf(contract), words)
    bloom = bloom ? uniteBlooms(bloom, own) : own
    writer.message(1, contractId)
    writer.bytes(2, own)
    writer.messages(3, words)
    writer.bytes(4, data)
    return writer.finish()
  })
  return { logs, bloom }
}

function longZeroOf({ number = 0n }: MessageId): Buffer {
  const address = Buffer.alloc(evmAddressBytes)
  address.writeBigInt64BE(number, 12)
  return address
}
