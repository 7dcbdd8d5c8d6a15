import type { LogBlock } from '#queries/contract-logs/find-blocks.ts'
import type { FoundLog } from '#queries/contract-logs/log-fields.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { hexDigitsOf, wordDigitsOf } from '#src/domain/hex-digits.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { bloomDigitsOf } from '#src/domain/log-bloom.ts'

type OwnFields = Pick<FoundLog, 'topic0' | 'topic1' | 'topic2' | 'topic3' | 'contractId' | 'index' | 'data' | 'bloom'>

/** The bytes of a log as hex digits. */
interface LogDigits {
  readonly topics: readonly string[]
  readonly data: string
  readonly bloom: string
}

/** The fields that a log has everywhere, as members of a JSON object. `address` is the EVM address of its contract, as hex digits. */
export function renderOwnFields(log: OwnFields, address: string): string {
  return ownFields(log, address, digitsOf(log, address))
}

/** A log in a list of logs. */
export function renderLog(log: FoundLog, address: string, block: LogBlock | undefined): string {
  const { consensusTimestamp, rootContractId, transactionHash, transactionIndex } = log
  const digits = digitsOf(log, address, transactionHash)
  return (
    `{${ownFields(log, address, digits)},"block_hash":"0x${block?.hash ?? ''}","block_number":${block?.number ?? 'null'},` +
    `"root_contract_id":${id(rootContractId)},"timestamp":"${formatLedgerTime(consensusTimestamp)}",` +
    `"transaction_hash":"0x${digits.hash}","transaction_index":${transactionIndex ?? 'null'}}`
  )
}

/** The filter that was recorded, else the one that follows from what is logged. */
export function bloomOfLog(log: OwnFields, address: string): Uint8Array {
  return log.bloom ?? Buffer.from(digitsOf(log, address).bloom, 'hex')
}

function ownFields({ contractId, index }: OwnFields, address: string, { topics, data, bloom }: LogDigits): string {
  const shown = topics.map((topic) => `"0x${wordDigitsOf(topic)}"`).join(',')
  return (
    `"address":"0x${address}","bloom":"0x${bloom}","contract_id":${id(contractId)},` +
    `"data":"0x${data === '' ? '' : wordDigitsOf(data)}","index":${index},"topics":[${shown}]`
  )
}

/** Of topics those that the log has. */
function digitsOf(
  { topic0, topic1, topic2, topic3, data, bloom }: OwnFields,
  address: string,
  transactionHash: Uint8Array | null = null,
): LogDigits & { readonly hash: string } {
  const own = [topic0, topic1, topic2, topic3]
  const [dataDigits = '', bloomDigits = '', hash = '', ...all] = hexDigitsOf([data, bloom, transactionHash, ...own])
  const topics = all.filter((_digits, position) => own[position] !== null)
  return { topics, data: dataDigits, hash, bloom: bloom === null ? bloomDigitsOf(address, topics) : bloomDigits }
}

function id(value: bigint | null): string {
  return value === null || value === 0n ? 'null' : `"${formatEntityId(value)}"`
}
