import { functionalities } from '#src/domain/functionalities.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
import { plainMultiplier } from '#src/domain/network-files/high-volume.ts'
import type { ExtraName, IncludedExtras, ServiceFees, SimpleFees } from '#src/domain/network-files/simple-fees.ts'

/** What a transaction is charged for. */
export interface FeeUsage {
  /** Number of the HederaFunctionality. */
  readonly functionality: number
  readonly extras: readonly UsedExtra[]
  /** The network does this for nothing. */
  readonly isFree: boolean
}

export interface UsedExtra {
  readonly name: ExtraName
  readonly count: number
  /** The kind of transaction by whose fees it is charged; that of the transaction unless given. */
  readonly by?: number
}

export interface FeeBasis extends FeeUsage {
  readonly fees: SimpleFees
  readonly signatures: number
  /** Length of the transaction. */
  readonly bytes: number
  /** Thousandths. */
  readonly multiplier: number
}

export interface ChargedExtra {
  readonly name: ExtraName
  readonly count: number
  readonly included: number
  readonly charged: number
  readonly feePerUnit: bigint
  readonly subtotal: bigint
}

export interface FeePart {
  readonly base: bigint
  /** Only those that cost something: more than what is included. */
  readonly extras: readonly ChargedExtra[]
}

/** Amounts are tinycents, at most 2^63-1. */
export interface FeeEstimate {
  readonly node: FeePart
  readonly network: { readonly multiplier: number; readonly subtotal: bigint }
  readonly service: FeePart
  readonly total: bigint
}

/** What a transaction costs (HIP-1261); undefined where the schedule has no fees of its kind. */
export function estimateFees(basis: FeeBasis): FeeEstimate | undefined {
  const { fees, functionality } = basis
  const own = fees.services.get(functionality)
  if (own === undefined) return undefined
  const node = own.nodeNetworkExempt || basis.isFree ? nothing : nodePart(basis)
  const network = saturated(sum(node) * BigInt(fees.networkMultiplier))
  const service = basis.isFree ? nothing : servicePart(basis, own)
  const total = saturated(sum(node) + network + sum(service))
  return { node, network: { multiplier: fees.networkMultiplier, subtotal: network }, service, total }
}

const nothing: FeePart = { base: 0n, extras: [] }

function nodePart({ fees, signatures, bytes, multiplier }: FeeBasis): FeePart {
  const used: Partial<Record<ExtraName, number>> = { SIGNATURES: signatures, PROCESSING_BYTES: bytes }
  const extras = [...fees.node.extras].flatMap(([name, included]) =>
    charge(name, used[name] ?? 0, included, unitFee(fees, name, multiplier)),
  )
  return { base: scaled(fees.node.baseFee, multiplier), extras }
}

function servicePart(basis: FeeBasis, { baseFee }: ServiceFees): FeePart {
  const extras = basis.extras.flatMap((used) => chargeUsed(used, basis))
  return { base: scaled(baseFee, basis.multiplier), extras }
}

function chargeUsed({ name, count, by }: UsedExtra, { fees, functionality, multiplier }: FeeBasis): ChargedExtra[] {
  if (count === 0) return []
  const included = fees.services.get(by ?? functionality)?.extras ?? none
  return charge(name, count, includedCount(included, name, by ?? functionality), unitFee(fees, name, multiplier))
}

const none: IncludedExtras = new Map()

/** A schedule that charges for what it does not define is broken, and no estimate by it is better than a wrong one. */
function includedCount(included: IncludedExtras, name: ExtraName, functionality: number): number {
  const count = included.get(name)
  if (count !== undefined) return count
  const [kind] = Object.entries(functionalities).find(([, number]) => number === functionality) ?? []
  throw new Error(`The simple fee schedule says nothing of ${name} for ${kind ?? functionality}`)
}

function unitFee({ unitFees }: SimpleFees, name: ExtraName, multiplier: number): bigint {
  return scaled(unitFees.get(name) ?? 0n, multiplier)
}

function charge(name: ExtraName, count: number, included: number, feePerUnit: bigint): ChargedExtra[] {
  const charged = count - included
  if (charged <= 0) return []
  return [{ name, count, included, charged, feePerUnit, subtotal: saturated(feePerUnit * BigInt(charged)) }]
}

function sum({ base, extras }: FeePart): bigint {
  return saturated(extras.reduce((total, { subtotal }) => total + subtotal, base))
}

function scaled(amount: bigint, multiplier: number): bigint {
  return saturated((amount * BigInt(multiplier)) / BigInt(plainMultiplier))
}

function saturated(amount: bigint): bigint {
  return amount > maxInt64 ? maxInt64 : amount
}
