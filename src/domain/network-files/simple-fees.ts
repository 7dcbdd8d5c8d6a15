import type { FieldReader } from '#src/domain/field-reader.ts'
import { fileFields, uint32, uint64 } from '#src/domain/network-files/file-fields.ts'

/** What is charged for beyond the base, in the order of its numbers in the protobuf's enum. */
export const extraNames = [
  'SIGNATURES',
  'KEYS',
  'NFT_SERIALS',
  'ACCOUNTS',
  'TOKEN_TYPES',
  'GAS',
  'ALLOWANCES',
  'AIRDROPS',
  'HOOK_UPDATES',
  'TOKEN_TRANSFER_BASE',
  'TOKEN_TRANSFER_BASE_CUSTOM_FEES',
  'HOOK_EXECUTION',
  'TOKEN_CREATE_WITH_CUSTOM_FEE',
  'TOKEN_MINT_NFT',
  'CONSENSUS_CREATE_TOPIC_WITH_CUSTOM_FEE',
  'CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE',
  'SCHEDULE_CREATE_CONTRACT_CALL_BASE',
  'TOKEN_ASSOCIATE',
  'HOOK_SLOT_UPDATE',
  'TOKEN_MINT_NFT_BASE',
  'NFT_UPDATE',
  'RECORDS',
  'STATE_BYTES',
  'PROCESSING_BYTES',
  'CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE_BYTES',
  'CONSENSUS_SUBMIT_MESSAGE_WITHOUT_CUSTOM_FEE_BYTES',
] as const

export type ExtraName = (typeof extraNames)[number]

/** How many of an extra the base pays for. Extras that this program does not know are left out everywhere. */
export type IncludedExtras = ReadonlyMap<ExtraName, number>

export interface CurvePoint {
  /** Share of the capacity in use, in hundredths of a percent. */
  readonly utilization: number
  /** Thousandths. */
  readonly multiplier: number
}

/** How prices rise with the use of the capacity for high volume. */
export interface VariableRates {
  /** Thousandths. */
  readonly maxMultiplier: number
  /** Empty: straight up to the maximum. */
  readonly points: readonly CurvePoint[]
}

/** Fees of one kind of transaction. Amounts are tinycents. */
export interface ServiceFees {
  readonly baseFee: bigint
  readonly extras: IncludedExtras
  readonly highVolume: VariableRates | undefined
  /** Neither the node nor the network is paid. */
  readonly nodeNetworkExempt: boolean
}

/** The fees of HIP-1261. Amounts are tinycents. */
export interface SimpleFees {
  readonly node: { readonly baseFee: bigint; readonly extras: IncludedExtras }
  readonly networkMultiplier: number
  /** By extra: the price of one. */
  readonly unitFees: ReadonlyMap<ExtraName, bigint>
  /** By number of the HederaFunctionality. */
  readonly services: ReadonlyMap<number, ServiceFees>
}

/** Reads the contents of file 113, a FeeSchedule of the package org.hiero.hapi.support.fees. */
export function readSimpleFees(contents: Uint8Array): SimpleFees {
  const node = { baseFee: 0n, extras: new Map<ExtraName, number>() }
  const unitFees = new Map<ExtraName, bigint>()
  const services = new Map<number, ServiceFees>()
  let networkMultiplier = 0
  const fields = fileFields(contents)
  while (fields.next()) {
    if (fields.field === 1) readNode(fields.message(), node)
    else if (fields.field === 2) networkMultiplier = readMultiplier(fields.message())
    else if (fields.field === 4) readUnitFee(fields.message(), unitFees)
    else if (fields.field === 5) readService(fields.message(), services)
  }
  return { node, networkMultiplier, unitFees, services }
}

function readNode(fields: FieldReader, node: { baseFee: bigint; extras: Map<ExtraName, number> }): void {
  while (fields.next()) {
    if (fields.field === 1) node.baseFee = uint64(fields)
    else if (fields.field === 2) readIncluded(fields.message(), node.extras)
  }
}

function readMultiplier(fields: FieldReader): number {
  let multiplier = 0
  while (fields.next()) if (fields.field === 1) multiplier = uint32(fields)
  return multiplier
}

function readUnitFee(fields: FieldReader, unitFees: Map<ExtraName, bigint>): void {
  let [number, fee] = [0, 0n]
  while (fields.next()) {
    if (fields.field === 1) number = fields.int32()
    else if (fields.field === 2) fee = uint64(fields)
  }
  const name = extraNames[number]
  if (name !== undefined) unitFees.set(name, fee)
}

function readIncluded(fields: FieldReader, extras: Map<ExtraName, number>): void {
  let [number, count] = [0, 0]
  while (fields.next()) {
    if (fields.field === 1) number = fields.int32()
    else if (fields.field === 2) count = uint32(fields)
  }
  const name = extraNames[number]
  if (name !== undefined) extras.set(name, count)
}

function readService(fields: FieldReader, services: Map<number, ServiceFees>): void {
  while (fields.next()) if (fields.field === 2) readDefinition(fields.message(), services)
}

function readDefinition(fields: FieldReader, services: Map<number, ServiceFees>): void {
  let functionality = 0
  let baseFee = 0n
  let highVolume: VariableRates | undefined
  let nodeNetworkExempt = false
  const extras = new Map<ExtraName, number>()
  while (fields.next()) {
    if (fields.field === 1) functionality = fields.int32()
    else if (fields.field === 2) baseFee = uint64(fields)
    else if (fields.field === 3) readIncluded(fields.message(), extras)
    else if (fields.field === 5) highVolume = readRates(fields.message())
    else if (fields.field === 6) nodeNetworkExempt = fields.int32() !== 0
  }
  services.set(functionality, { baseFee, extras, highVolume, nodeNetworkExempt })
}

function readRates(fields: FieldReader): VariableRates {
  let maxMultiplier = 0
  const points: CurvePoint[] = []
  while (fields.next()) {
    if (fields.field === 2) maxMultiplier = uint32(fields)
    else if (fields.field === 3) readCurve(fields.message(), points)
  }
  return { maxMultiplier, points }
}

/** The one kind of curve that there is: points with straight lines between. */
function readCurve(fields: FieldReader, points: CurvePoint[]): void {
  while (fields.next()) if (fields.field === 1) readPoints(fields.message(), points)
}

function readPoints(fields: FieldReader, points: CurvePoint[]): void {
  while (fields.next()) if (fields.field === 1) points.push(readPoint(fields.message()))
}

function readPoint(fields: FieldReader): CurvePoint {
  let [utilization, multiplier] = [0, 0]
  while (fields.next()) {
    if (fields.field === 1) utilization = uint32(fields)
    else if (fields.field === 2) multiplier = uint32(fields)
  }
  return { utilization, multiplier }
}
