import { unpackDigits } from '#projections/contract-logs/packing/digits.ts'
import { type contractLogsSchema, type LogRow, logKind } from '#projections/contract-logs/schema.ts'
import type { ContractLogRecorded } from '#schemas/events/types.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { longZeroAddress } from '#src/domain/evm-address.ts'
import { wordDigitsOf } from '#src/domain/hex-digits.ts'
import type { Output } from '#src/runtime/fold/projection.ts'

/**
 * Every log of a recorded block. Logs that a statement tells of are left out: it may come at any time later, and is on the
 * ledger's log itself.
 */
export const contractLogEvents: Output<typeof contractLogsSchema, 'contract-logs', 'logs'> = {
  rows: 'logs',
  event: (log, rows) => {
    if (log.blockEnd === null) return undefined
    return eventOf(log, log.blockEnd, rows.get('namedEntities', log.contractId)?.evmAddress)
  },
}

function eventOf(log: LogRow, blockConsensusEnd: bigint, address: Uint8Array | null | undefined): ContractLogRecorded {
  const { contractId, consensusTimestamp, index, rootContractId, transactionIndex } = log
  const { transactionHash, topics, data } = unpackDigits(log.digits)
  return {
    consensusTimestamp,
    index,
    originTimestamp: log.time,
    blockConsensusEnd,
    transactionHash: transactionHash === null ? null : Buffer.from(transactionHash, 'hex'),
    transactionIndex,
    payerAccountId: log.payer,
    contractId,
    address: address ? asBuffer(address) : longZeroAddress(contractId),
    rootContractId,
    topics: topics.filter((topic) => topic !== null).map(wordOf),
    data: data === '' ? Buffer.alloc(0) : wordOf(data),
    synthetic: log.kind !== logKind.recorded,
  }
}

function wordOf(digits: string): Buffer {
  return Buffer.from(wordDigitsOf(digits), 'hex')
}
