import { decodeAuthorizations } from '#projections/contract-results/packing/lists.ts'
import type { EthereumRow } from '#projections/contract-results/schema.ts'
import { readAccessList } from '#src/domain/access-list.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { longZeroDigits } from '#src/domain/evm-address.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { isSuccessCode, responseCodeName } from '#src/domain/response-codes.ts'

/** What the first members tell of. */
export interface HeadFacts {
  readonly time: bigint
  readonly contract: bigint
  /** null where only an alias tells who it is. */
  readonly sender: bigint | null
  readonly senderAlias: Uint8Array | null
  readonly created: readonly bigint[]
  readonly gasUsed: bigint | null
  readonly gasConsumed: bigint | null
  readonly hash: Uint8Array | null
}

/** Members of a result's object as JSON text: from the contract to the time. */
export function renderHead({ time, contract, created, gasUsed, gasConsumed, hash, ...from }: HeadFacts): string {
  return (
    `"contract_id":${contract === 0n ? 'null' : `"${formatEntityId(contract)}"`},` +
    `"created_contract_ids":[${created.map((id) => `"${formatEntityId(id)}"`)}],"from":${senderAddress(from)},` +
    `"gas_consumed":${gasConsumed},"gas_used":${gasUsed},"hash":"${hex(hash)}","timestamp":"${formatLedgerTime(time)}"`
  )
}

/** Aliases of senders are EVM addresses. */
function senderAddress({ sender, senderAlias }: Pick<HeadFacts, 'sender' | 'senderAlias'>): string {
  return senderAlias === null ? longZero(sender) : `"${hex(senderAlias)}"`
}

/** What the last members tell of. */
export interface TailFacts {
  readonly contract: bigint
  readonly result: number
  readonly amount: bigint | null
}

/**
 * Members of a result's object as JSON text: from how it ended to the last, without those that others than the transaction tell:
 * its place among the EVM's, and the defaults. `hbar`: amounts and gas prices are tinybars, not weibars.
 */
export function renderTail(facts: TailFacts, ethereum: EthereumRow | undefined, hbar: boolean): string {
  const { result } = facts
  return (
    `"result":"${responseCodeName(result)}","status":"${isSuccessCode(result) ? '0x1' : '0x0'}",` +
    (ethereum ? renderEthereum(facts, ethereum, hbar) : renderWithoutEthereum(facts, hbar))
  )
}

/** Which defaults a result is shown with: of a transaction that is none of Ethereum, of one that names no chain, or none. */
export const ethereumKind = { none: 0, whole: 1, withoutChain: 2 } as const

export function ethereumKindOf(ethereum: EthereumRow | undefined): number {
  if (ethereum === undefined) return ethereumKind.none
  return ethereum.chainId?.length ? ethereumKind.whole : ethereumKind.withoutChain
}

const weibarsPerTinybar = 10_000_000_000n

function renderEthereum({ contract }: TailFacts, ethereum: EthereumRow, hbar: boolean): string {
  const { type, toAddress, value } = ethereum
  const to = toAddress !== null && toAddress.length > 0 ? `"${hex(toAddress)}"` : longZero(contract)
  const shown = value === null || value.length === 0 ? null : amountOf(value, hbar)
  const v = type === 0 && ethereum.signatureV !== null ? unsignedNumber(ethereum.signatureV) : ethereum.recoveryId
  return (
    `"access_list":[${renderAccessList(ethereum)}],"amount":${shown},${renderChain(ethereum)}` +
    `"gas_price":"${price(ethereum.gasPrice, hbar)}",` +
    `"max_fee_per_gas":"${price(ethereum.maxFeePerGas, hbar)}",` +
    `"max_priority_fee_per_gas":"${price(ethereum.maxPriorityFeePerGas, hbar)}","nonce":${ethereum.nonce},` +
    `"r":"${hex(ethereum.signatureR)}","s":"${hex(ethereum.signatureS)}","to":${to},"type":${type},"v":${v},` +
    `"authorization_list":[${renderAuthorizations(ethereum)}]`
  )
}

function renderWithoutEthereum({ amount, contract }: TailFacts, hbar: boolean): string {
  const shown = amount === null || hbar ? amount : amount * weibarsPerTinybar
  return (
    `"access_list":[],"amount":${shown},"max_fee_per_gas":null,"max_priority_fee_per_gas":null,"nonce":null,` +
    `"r":null,"s":null,"to":${longZero(contract)},"type":0,"v":null`
  )
}

/** Nothing where the network's own is to be shown. */
function renderChain({ chainId }: EthereumRow): string {
  return chainId?.length ? `"chain_id":"${quantity(chainId)}",` : ''
}

/** Bytes that are no list are not shown. */
function renderAccessList({ accessList }: EthereumRow): string[] {
  const entries = (accessList && readAccessList(accessList)) ?? []
  return entries.map(({ address, storageKeys }) => {
    const keys = storageKeys.map((key) => `"${word(key)}"`)
    return `{"address":"${padded(address, addressDigits)}","storage_keys":[${keys}]}`
  })
}

/** Permissions to run a contract's code; what is no Ethereum transaction can't have any. */
function renderAuthorizations({ authorizations }: EthereumRow): string[] {
  const list = authorizations === null ? [] : decodeAuthorizations(authorizations)
  return list.map(
    ({ address, chainId, nonce, r, s, yParity }) =>
      `{"address":"${padded(address, addressDigits)}","chain_id":"0x${unsignedNumber(chainId).toString(16)}",` +
      `"nonce":${nonce},"r":"${word(r)}","s":"${word(s)}","y_parity":"${yParity === 0 ? '0x0' : '0x1'}"}`,
  )
}

const addressDigits = 40
const wordDigits = 64

function word(bytes: Uint8Array): string {
  return padded(bytes, wordDigits)
}

function padded(bytes: Uint8Array, digits: number): string {
  return `0x${hexOf(bytes).padStart(digits, '0')}`
}

export function hex(bytes: Uint8Array | null): string {
  return bytes === null ? '0x' : `0x${hexOf(bytes)}`
}

export function longZero(id: bigint | null): string {
  return id === null || id === 0n ? 'null' : `"0x${longZeroDigits(id)}"`
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
  return bytes === null || bytes.length === 0 ? '0x' : `0x${tinybarsIf(hbar, unsignedNumber(bytes)).toString(16)}`
}

/** Weibars as they are, or as tinybars with the fraction cut off. */
function tinybarsIf(hbar: boolean, weibars: bigint): bigint {
  return hbar ? weibars / weibarsPerTinybar : weibars
}
