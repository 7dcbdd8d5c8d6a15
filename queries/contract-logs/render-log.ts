import type { LogBlock } from '#queries/contract-logs/find-blocks.ts'
import type { FoundLog } from '#queries/contract-logs/log-fields.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { wordBytes } from '#src/domain/evm-words.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { bloomOf } from '#src/domain/log-bloom.ts'

type TopicFields = Pick<FoundLog, 'topic0' | 'topic1' | 'topic2' | 'topic3'>
type OwnFields = TopicFields & Pick<FoundLog, 'contractId' | 'index' | 'data' | 'bloom'>

/** The fields that a log has everywhere, as members of a JSON object. `address` is the EVM address of its contract. */
export function renderOwnFields(log: OwnFields, address: Uint8Array): string {
  const { contractId, index, data } = log
  const shown = topicsOf(log).flatMap((topic) => (topic === null ? [] : `"${word(topic)}"`))
  return (
    `"address":"${hex(address)}","bloom":"${hex(bloomOfLog(log, address))}",` +
    `"contract_id":${id(contractId)},"data":"${data.length === 0 ? '0x' : word(data)}",` +
    `"index":${index},"topics":[${shown.join(',')}]`
  )
}

/** The filter that was recorded, else the one that follows from what is logged. */
export function bloomOfLog(log: TopicFields & Pick<FoundLog, 'bloom'>, address: Uint8Array): Uint8Array {
  return log.bloom ?? bloomOf(address, topicsOf(log))
}

function topicsOf({ topic0, topic1, topic2, topic3 }: TopicFields): (Uint8Array | null)[] {
  return [topic0, topic1, topic2, topic3]
}

/** A log in a list of logs. */
export function renderLog(log: FoundLog, address: Uint8Array, block: LogBlock | undefined): string {
  const { consensusTimestamp, rootContractId, transactionHash, transactionIndex } = log
  return (
    `{${renderOwnFields(log, address)},"block_hash":"0x${block?.hash ?? ''}","block_number":${block?.number ?? 'null'},` +
    `"root_contract_id":${id(rootContractId)},"timestamp":"${formatLedgerTime(consensusTimestamp)}",` +
    `"transaction_hash":"${hex(transactionHash ?? new Uint8Array())}","transaction_index":${transactionIndex ?? 'null'}}`
  )
}

const wordDigits = wordBytes * 2

/** At least a word; leading zeros may be missing. */
function word(bytes: Uint8Array): string {
  return `0x${asBuffer(bytes).toString('hex').padStart(wordDigits, '0')}`
}

function hex(bytes: Uint8Array): string {
  return `0x${asBuffer(bytes).toString('hex')}`
}

function id(value: bigint | null): string {
  return value === null || value === 0n ? 'null' : `"${formatEntityId(value)}"`
}
