import { ethereumKind, hex, longZero, renderTail } from '#projections/contract-results/render.ts'
import type { EthereumRow } from '#projections/contract-results/schema.ts'
import type { ResultBlock } from '#queries/contract-results/find-blocks.ts'
import type { ListedResult } from '#queries/contract-results/find-results.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { isSuccessCode, responseCodeName } from '#src/domain/response-codes.ts'

/** What a result is shown with. */
export interface ResultParts {
  /** EVM address of its contract; null when it has none. */
  readonly address: string | null
  /** Whether one result is shown, with what its Ethereum transaction says of the call. Lists say what the result says. */
  readonly isDetail: boolean
  /** Of one result, and where amounts are weibars. */
  readonly ethereum: EthereumRow | undefined
  readonly block: ResultBlock | undefined
  /** Call data from a file, as hex digits; undefined where it is not asked for. */
  readonly fileData: string | undefined
  /** Amounts and gas prices are tinybars, not weibars. */
  readonly hbar: boolean
  /** Of the network. */
  readonly chainId: bigint
  /** Tinybars that a unit of gas of a call cost then; null where it is not known. */
  readonly gasPrice: bigint | null
}

/** The members of a result's object in the list of one contract as JSON text. */
export function renderShortResult(row: ListedResult, address: string | null): string {
  return (
    `${renderCall(row, address)},"amount":${row.amount},` +
    `"error_message":${row.error ? JSON.stringify(row.error) : 'null'},` +
    `"function_parameters":"0x${row.parameters}","gas_limit":${row.gasLimit},"to":${longZero(row.contract)}`
  )
}

/** The members of a result's object everywhere else as JSON text. */
export function renderResult(row: ListedResult, parts: ResultParts): string {
  const { block, address, hbar, ethereum } = parts
  const gasLimit = (parts.isDetail ? ethereum?.gasLimit : undefined) ?? row.gasLimit
  return (
    `${renderCall(row, address)},"block_gas_used":${block?.gasUsed ?? 'null'},"block_hash":"0x${block?.hash ?? ''}",` +
    `"block_number":${block?.number ?? 'null'},"error_message":${errorMessage(row)},` +
    `"failed_initcode":${failedInitcode(row, parts)},` +
    `"function_parameters":"0x${functionParameters(row, parts)}","gas_limit":${gasLimit},` +
    `"transaction_index":${row.transactionIndex},${defaults(row, parts)}` +
    (hbar ? row.tail : renderTail(row, ethereum, false))
  )
}

/** What a transaction does not say itself: one that is none of Ethereum is like an old one of the network that pays the usual price. */
function defaults({ ethereum }: ListedResult, { chainId, gasPrice, hbar }: ResultParts): string {
  if (ethereum === ethereumKind.whole) return ''
  const chain = `"chain_id":"0x${chainId.toString(16)}",`
  if (ethereum === ethereumKind.withoutChain) return chain
  return `${chain}"gas_price":${gasPrice === null ? 'null' : `"0x${inUnit(gasPrice, hbar).toString(16)}"`},`
}

const weibarsPerTinybar = 10_000_000_000n

function inUnit(tinybars: bigint, hbar: boolean): bigint {
  return hbar ? tinybars : tinybars * weibarsPerTinybar
}

const noBits = '00'.repeat(256)

/** What both forms have in common. */
function renderCall({ bloom, callResult, head }: ListedResult, address: string | null): string {
  return (
    `"address":${address === null ? 'null' : `"${address}"`},"bloom":"0x${bloom === '' ? noBits : (bloom ?? '')}",` +
    `"call_result":"0x${callResult ?? ''}",${head}`
  )
}

/** Of Ethereum transactions that failed without a message the name of the result. */
function errorMessage({ error, ethereum, result }: ListedResult): string {
  if (error) return JSON.stringify(error)
  return ethereum === ethereumKind.none || isSuccessCode(result) ? 'null' : `"${responseCodeName(result)}"`
}

function failedInitcode({ failedInitcode: initcode, result }: ListedResult, { ethereum, isDetail }: ResultParts) {
  if (initcode !== null) return `"0x${initcode}"`
  const callData = ethereum?.callData
  return isDetail && callData && !isSuccessCode(result) ? `"${hex(callData)}"` : 'null'
}

function functionParameters({ parameters }: ListedResult, { ethereum, fileData, isDetail }: ResultParts): string {
  if (isDetail && ethereum?.callData?.length) return asBuffer(ethereum.callData).toString('hex')
  return parameters === '' ? (fileData ?? '') : parameters
}
