import { bloomDigits, type LogDigits, unpackDigits } from '#projections/contract-logs/packing/digits.ts'
import type { LogBlock } from '#queries/contract-logs/find-blocks.ts'
import type { FoundLog } from '#queries/contract-logs/log-fields.ts'
import { wordDigitsOf } from '#src/domain/hex-digits.ts'
import { idText } from '#src/domain/json-text.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

type OwnFields = Pick<FoundLog, 'contractId' | 'index' | 'digits'>

/** The fields that a log has everywhere, as members of a JSON object. `address` is the EVM address of its contract, as hex digits. */
export function renderOwnFields(log: OwnFields, address: string): string {
  return ownFields(log, address, unpackDigits(log.digits))
}

/** A log in a list of logs. */
export function renderLog(log: FoundLog, address: string, block: LogBlock | undefined): string {
  const { consensusTimestamp, rootContractId, transactionIndex } = log
  const digits = unpackDigits(log.digits)
  return (
    `{${ownFields(log, address, digits)},"block_hash":"0x${block?.hash ?? ''}","block_number":${block?.number ?? 'null'},` +
    `"root_contract_id":${idText(rootContractId)},"timestamp":"${formatLedgerTime(consensusTimestamp)}",` +
    `"transaction_hash":"0x${digits.transactionHash ?? ''}","transaction_index":${transactionIndex ?? 'null'}}`
  )
}

/** The filter that was recorded, else the one that follows from what is logged. */
export function bloomOfLog({ digits }: OwnFields, address: string): Uint8Array {
  return Buffer.from(bloomDigits(unpackDigits(digits).bloom, address), 'hex')
}

function ownFields({ contractId, index }: OwnFields, address: string, { topics, data, bloom }: LogDigits): string {
  let shown = ''
  for (const topic of topics) if (topic !== null) shown += `${shown === '' ? '' : ','}"0x${wordDigitsOf(topic)}"`
  return (
    `"address":"0x${address}","bloom":"0x${bloomDigits(bloom, address)}","contract_id":${idText(contractId)},` +
    `"data":"0x${data === '' ? '' : wordDigitsOf(data)}","index":${index},"topics":[${shown}]`
  )
}
