import { decodeAuthorizations, decodeIds } from '#projections/contract-results/packing.ts'
import type { EthereumRow } from '#projections/contract-results/schema.ts'
import type { ResultBlock } from '#queries/contract-results/find-blocks.ts'
import type { ListedResult } from '#queries/contract-results/find-results.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { longZeroDigits } from '#src/domain/evm-address.ts'
import { hexDigitsOf } from '#src/domain/hex-digits.ts'
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
  const digits = digitsOf(row)
  return (
    `${renderCall(row, digits, address)},"amount":${row.amount},` +
    `"error_message":${row.error ? JSON.stringify(row.error) : 'null'},"from":${longZero(row.sender)},` +
    `"function_parameters":"0x${digits.parameters}","gas_limit":${row.gasLimit},"to":${longZero(row.contract)}`
  )
}

/** The members of a result's object everywhere else as JSON text. */
export function renderResult(row: ListedResult, parts: ResultParts): string {
  const { ethereum, block, address } = parts
  const digits = digitsOf(row)
  const isSuccess = isSuccessCode(row.result)
  const result = responseCodeName(row.result)
  return (
    `${renderCall(row, digits, address)},"block_gas_used":${block?.gasUsed ?? 'null'},"block_hash":"0x${block?.hash ?? ''}",` +
    `"block_number":${block?.number ?? 'null'},"error_message":${errorMessage(row, parts)},` +
    `"failed_initcode":${failedInitcode(row, digits, parts)},"from":${longZero(row.sender)},` +
    `"function_parameters":"0x${functionParameters(digits, parts)}","gas_limit":${(parts.isDetail ? ethereum?.gasLimit : undefined) ?? row.gasLimit},"result":"${result}","status":"${isSuccess ? '0x1' : '0x0'}",` +
    `"transaction_index":${row.transactionIndex},` +
    (ethereum ? renderEthereum(row, ethereum, parts.hbar) : renderWithoutEthereum(row, parts.hbar)) +
    renderAuthorizations(ethereum)
  )
}

/** The bytes of a result as hex digits. */
type ResultDigits = ReturnType<typeof digitsOf>

function digitsOf({ hash, parameters, callResult, bloom: filter, failedInitcode: code }: ListedResult) {
  const [of = '', called = '', returned = '', recorded = '', initcode = ''] = hexDigitsOf([
    hash,
    parameters,
    callResult,
    filter,
    code,
  ])
  // A bloom of nothing but zeros is kept empty.
  const bloom = filter !== null && filter.length === 0 ? noBits : recorded
  return { hash: of, parameters: called, callResult: returned, bloom, failedInitcode: initcode }
}

const noBits = '00'.repeat(bloomBytes)

/** What both forms have in common. */
function renderCall(row: ListedResult, { bloom, callResult, hash }: ResultDigits, address: string | null): string {
  return (
    `"address":${address === null ? 'null' : `"${address}"`},"bloom":"0x${bloom}","call_result":"0x${callResult}",` +
    `"contract_id":${row.contract === 0n ? 'null' : `"${formatEntityId(row.contract)}"`},"created_contract_ids":[${created(row)}],` +
    `"gas_consumed":${row.gasConsumed},"gas_used":${row.gasUsed},"hash":"0x${hash}","timestamp":"${formatLedgerTime(row.time)}"`
  )
}

function created(row: ListedResult): string {
  if (row.created.length === 0) return ''
  return decodeIds(row.created)
    .map((id) => `"${formatEntityId(id)}"`)
    .join(',')
}

function renderEthereum(row: ListedResult, ethereum: EthereumRow, hbar: boolean): string {
  const { type, toAddress, value } = ethereum
  const [accessList, chainId = '', gasPrice = '', maxFee = '', maxPriorityFee = '', r, s, v = '', address, sent = ''] =
    hexDigitsOf([
      ethereum.accessList,
      ethereum.chainId,
      ethereum.gasPrice,
      ethereum.maxFeePerGas,
      ethereum.maxPriorityFeePerGas,
      ethereum.signatureR,
      ethereum.signatureS,
      ethereum.signatureV,
      toAddress,
      value,
    ])
  return (
    `"access_list":"0x${accessList}","amount":${value === null ? row.amount : amountOf(sent, hbar)},` +
    `"chain_id":"${quantity(chainId)}","gas_price":"${price(ethereum.gasPrice, gasPrice, hbar)}",` +
    `"max_fee_per_gas":"${price(ethereum.maxFeePerGas, maxFee, hbar)}",` +
    `"max_priority_fee_per_gas":"${price(ethereum.maxPriorityFeePerGas, maxPriorityFee, hbar)}","nonce":${ethereum.nonce},` +
    `"r":"0x${r}","s":"0x${s}","to":${address === '' ? longZero(row.contract) : `"0x${address}"`},"type":${type},` +
    `"v":${type === 0 && ethereum.signatureV !== null ? unsignedNumber(v) : ethereum.recoveryId}`
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
      `{"address":"${hex(address)}","chain_id":"${quantity(asBuffer(chainId).toString('hex'))}","nonce":${nonce},"r":"${hex(r)}","s":"${hex(s)}","y_parity":${yParity}}`,
  )
  return `,"authorization_list":[${texts}]`
}

/** Of Ethereum transactions that failed without a message the name of the result. */
function errorMessage(row: ListedResult, { ethereum }: ResultParts): string {
  if (row.error) return JSON.stringify(row.error)
  return ethereum === undefined || isSuccessCode(row.result) ? 'null' : `"${responseCodeName(row.result)}"`
}

function failedInitcode(
  { result }: ListedResult,
  { failedInitcode: initcode }: ResultDigits,
  { ethereum, isDetail }: ResultParts,
): string {
  if (initcode !== '') return `"0x${initcode}"`
  const callData = ethereum?.callData
  return isDetail && callData && !isSuccessCode(result) ? `"${hex(callData)}"` : 'null'
}

function functionParameters({ parameters }: ResultDigits, { ethereum, fileData, isDetail }: ResultParts): string {
  if (isDetail && ethereum?.callData && ethereum.callData.length > 0) return asBuffer(ethereum.callData).toString('hex')
  return parameters === '' ? (fileData ?? '') : parameters
}

export function hex(bytes: Uint8Array | null): string {
  return bytes === null ? '0x' : `0x${asBuffer(bytes).toString('hex')}`
}

export function longZero(id: bigint | null): string {
  return id === null || id === 0n ? 'null' : `"0x${longZeroDigits(id)}"`
}

function unsignedNumber(digits: string): bigint {
  return digits === '' ? 0n : BigInt(`0x${digits}`)
}

const bitsPerDigit = 4

/** Tinybars of a number that is signed, or as established clients see it all of its bits. */
function amountOf(digits: string, hbar: boolean): bigint {
  const weibars = unsignedNumber(digits)
  return hbar ? BigInt.asIntN(digits.length * bitsPerDigit, weibars) / weibarsPerTinybar : weibars
}

/** Hex without leading zero digits. */
function quantity(digits: string): string {
  return digits === '' ? '0x' : `0x${unsignedNumber(digits).toString(16)}`
}

function price(bytes: Uint8Array | null, digits: string, hbar: boolean): string {
  return bytes === null ? '0x' : `0x${tinybarsIf(hbar, unsignedNumber(digits)).toString(16)}`
}

/** Weibars as they are, or as tinybars with the fraction cut off. */
function tinybarsIf(hbar: boolean, weibars: bigint): bigint {
  return hbar ? weibars / weibarsPerTinybar : weibars
}
