import { decodeAuthorizations, decodeIds } from '#projections/contract-results/packing.ts'
import type { EthereumRow } from '#projections/contract-results/schema.ts'
import type { ResultBlock } from '#queries/contract-results/find-blocks.ts'
import type { ListedResult } from '#queries/contract-results/find-results.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { longZeroAddress } from '#src/domain/evm-address.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { isSuccessCode, responseCodeName } from '#src/domain/response-codes.ts'

/** What a result is shown with. */
export interface ResultParts {
  /** EVM address of its contract; null when it has none. */
  readonly address: string | null
  /** Whether one result is shown, with what its Ethereum transaction says of the call. Lists say what the result says. */
  readonly isDetail: boolean
  readonly ethereum: EthereumRow | undefined
  readonly block: ResultBlock | undefined
  /** Call data from a file, as hex digits; undefined where it is not asked for. */
  readonly fileData: string | undefined
  /** Amounts and gas prices are tinybars, not weibars. */
  readonly hbar: boolean
}

const bloomBytes = 256
const weibarsPerTinybar = 10_000_000_000n

/** The members of a result's object in the list of one contract as JSON text. */
export function renderShortResult(row: ListedResult, address: string | null): string {
  return (
    `${renderCall(row, address)},"amount":${row.amount},` +
    `"error_message":${row.error ? JSON.stringify(row.error) : 'null'},"from":${longZero(row.sender)},` +
    `"function_parameters":"${hex(row.parameters)}","gas_limit":${row.gasLimit},"to":${longZero(row.contract)}`
  )
}

/** The members of a result's object everywhere else as JSON text. */
export function renderResult(row: ListedResult, parts: ResultParts): string {
  const { ethereum, block, address } = parts
  const isSuccess = isSuccessCode(row.result)
  const result = responseCodeName(row.result)
  return (
    `${renderCall(row, address)},"block_gas_used":${block?.gasUsed ?? 'null'},"block_hash":"${block?.hash ?? '0x'}",` +
    `"block_number":${block?.number ?? 'null'},"error_message":${errorMessage(row, parts)},` +
    `"failed_initcode":${failedInitcode(row, parts)},"from":${longZero(row.sender)},` +
    `"function_parameters":"${functionParameters(row, parts)}","gas_limit":${(parts.isDetail ? ethereum?.gasLimit : undefined) ?? row.gasLimit},"result":"${result}","status":"${isSuccess ? '0x1' : '0x0'}",` +
    `"transaction_index":${row.transactionIndex},` +
    (ethereum ? renderEthereum(row, ethereum, parts.hbar) : renderWithoutEthereum(row, parts.hbar)) +
    renderAuthorizations(ethereum)
  )
}

/** What both forms have in common. */
function renderCall(row: ListedResult, address: string | null): string {
  const created = decodeIds(row.created).map((id) => `"${formatEntityId(id)}"`)
  return (
    `"address":${address === null ? 'null' : `"${address}"`},"bloom":"${bloom(row.bloom)}","call_result":"${hex(row.callResult)}",` +
    `"contract_id":${row.contract === 0n ? 'null' : `"${formatEntityId(row.contract)}"`},"created_contract_ids":[${created}],` +
    `"gas_consumed":${row.gasConsumed},"gas_used":${row.gasUsed},"hash":"${hex(row.hash)}","timestamp":"${formatLedgerTime(row.time)}"`
  )
}

function renderEthereum(row: ListedResult, ethereum: EthereumRow, hbar: boolean): string {
  const { type, toAddress, value } = ethereum
  const to = toAddress !== null && toAddress.length > 0 ? `"${hex(toAddress)}"` : longZero(row.contract)
  const amount = value === null ? row.amount : amountOf(value, hbar)
  const v = type === 0 && ethereum.signatureV !== null ? unsignedNumber(ethereum.signatureV) : ethereum.recoveryId
  return (
    `"access_list":"${hex(ethereum.accessList)}","amount":${amount},"chain_id":"${quantity(ethereum.chainId)}",` +
    `"gas_price":"${price(ethereum.gasPrice, hbar)}",` +
    `"max_fee_per_gas":"${price(ethereum.maxFeePerGas, hbar)}",` +
    `"max_priority_fee_per_gas":"${price(ethereum.maxPriorityFeePerGas, hbar)}","nonce":${ethereum.nonce},` +
    `"r":"${hex(ethereum.signatureR)}","s":"${hex(ethereum.signatureS)}","to":${to},"type":${type},"v":${v}`
  )
}

function renderWithoutEthereum({ amount, contract }: ListedResult, hbar: boolean): string {
  const shown = amount === null || hbar ? amount : amount * weibarsPerTinybar
  return (
    `"access_list":null,"amount":${shown},"chain_id":null,"gas_price":null,"max_fee_per_gas":null,` +
    `"max_priority_fee_per_gas":null,"nonce":null,"r":null,"s":null,"to":${longZero(contract)},"type":null,"v":null`
  )
}

/** Permissions to run a contract's code; what is no Ethereum transaction can't have any. */
function renderAuthorizations(ethereum: EthereumRow | undefined): string {
  if (ethereum === undefined) return ''
  const list = ethereum.authorizations === null ? [] : decodeAuthorizations(ethereum.authorizations)
  const texts = list.map(
    ({ address, chainId, nonce, r, s, yParity }) =>
      `{"address":"${hex(address)}","chain_id":"${quantity(chainId)}","nonce":${nonce},"r":"${hex(r)}","s":"${hex(s)}","y_parity":${yParity}}`,
  )
  return `,"authorization_list":[${texts}]`
}

/** Of Ethereum transactions that failed without a message the name of the result. */
function errorMessage(row: ListedResult, { ethereum }: ResultParts): string {
  if (row.error) return JSON.stringify(row.error)
  return ethereum === undefined || isSuccessCode(row.result) ? 'null' : `"${responseCodeName(row.result)}"`
}

function failedInitcode(
  { failedInitcode: initcode, result }: ListedResult,
  { ethereum, isDetail }: ResultParts,
): string {
  if (initcode !== null && initcode.length > 0) return `"${hex(initcode)}"`
  const callData = ethereum?.callData
  return isDetail && callData && !isSuccessCode(result) ? `"${hex(callData)}"` : 'null'
}

function functionParameters({ parameters }: ListedResult, { ethereum, fileData, isDetail }: ResultParts): string {
  if (isDetail && ethereum?.callData && ethereum.callData.length > 0) return hex(ethereum.callData)
  return parameters.length === 0 && fileData !== undefined ? `0x${fileData}` : hex(parameters)
}

/** A bloom of nothing but zeros is kept empty. */
function bloom(bytes: Uint8Array | null): string {
  if (bytes === null) return '0x'
  return bytes.length === 0 ? `0x${'00'.repeat(bloomBytes)}` : hex(bytes)
}

export function hex(bytes: Uint8Array | null): string {
  return bytes === null ? '0x' : `0x${asBuffer(bytes).toString('hex')}`
}

export function longZero(id: bigint | null): string {
  return id === null || id === 0n ? 'null' : `"${hex(longZeroAddress(id))}"`
}

function unsignedNumber(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(hex(bytes))
}

/** Tinybars of a number that is signed, or as established clients see it all of its bits. */
function amountOf(value: Uint8Array, hbar: boolean): bigint {
  const weibars = unsignedNumber(value)
  return hbar ? BigInt.asIntN(value.length * 8, weibars) / weibarsPerTinybar : weibars
}

/** Hex without leading zero digits. */
function quantity(bytes: Uint8Array | null): string {
  return bytes === null || bytes.length === 0 ? '0x' : `0x${unsignedNumber(bytes).toString(16)}`
}

function price(bytes: Uint8Array | null, hbar: boolean): string {
  return bytes === null ? '0x' : `0x${tinybarsIf(hbar, unsignedNumber(bytes)).toString(16)}`
}

/** Weibars as they are, or as tinybars with the fraction cut off. */
function tinybarsIf(hbar: boolean, weibars: bigint): bigint {
  return hbar ? weibars / weibarsPerTinybar : weibars
}
