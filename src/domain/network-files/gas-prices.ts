import type { FieldReader } from '#src/domain/field-reader.ts'
import { functionalities } from '#src/domain/functionalities.ts'
import { fileFields, readSeconds, skipMessage } from '#src/domain/network-files/file-fields.ts'
import type { SimpleFees } from '#src/domain/network-files/simple-fees.ts'

/** What gas costs for the transactions of one kind. */
export interface GasPrice {
  /** Number of the HederaFunctionality. */
  readonly functionality: number
  /** Thousandths of a tinycent for a unit of gas. */
  readonly price: bigint
}

export interface GasPriceList {
  /** In the order of the schedule; kinds whose first price has no part for the service are left out. */
  prices: GasPrice[]
  /** Seconds since the epoch. */
  expires: bigint
}

export interface GasPrices {
  readonly current: GasPriceList
  readonly next: GasPriceList
}

/** The kinds of transactions that gas is paid for. */
export const gasKinds = ['ContractCall', 'ContractCreate', 'EthereumTransaction'] as const

/** Among simple fees, gas is an extra of one price, whatever it is used for. */
export function pricesOfSimpleFees({ unitFees }: Pick<SimpleFees, 'unitFees'>): GasPrice[] {
  const tinycents = unitFees.get('GAS')
  if (tinycents === undefined) return []
  return gasKinds.map((name) => ({ functionality: functionalities[name], price: tinycents * 1_000n }))
}

/** Reads the gas prices of file 111, a CurrentAndNextFeeSchedule: fees before there were simple ones. */
export function readGasPrices(contents: Uint8Array): GasPrices {
  const schedules = { current: noPrices(), next: noPrices() }
  const fields = fileFields(contents)
  while (fields.next()) {
    if (fields.field === 1) readSchedule(fields.message(), schedules.current)
    else if (fields.field === 2) readSchedule(fields.message(), schedules.next)
  }
  return schedules
}

const noPrices = (): GasPriceList => ({ prices: [], expires: 0n })

function readSchedule(fields: FieldReader, schedule: GasPriceList): void {
  while (fields.next()) {
    if (fields.field === 1) readTransactionSchedule(fields.message(), schedule.prices)
    else if (fields.field === 2) schedule.expires = readSeconds(fields.message())
  }
}

function readTransactionSchedule(fields: FieldReader, prices: GasPrice[]): void {
  let functionality = 0
  const gas: (bigint | undefined)[] = []
  while (fields.next()) {
    if (fields.field === 1) functionality = fields.int32()
    // The field before there were several prices for a kind; it counts no more.
    else if (fields.field === 2) readFeeData(fields.message())
    else if (fields.field === 3) gas.push(readFeeData(fields.message()))
  }
  const [price] = gas
  if (price !== undefined) prices.push({ functionality, price })
}

/** The gas price of the service's part. */
function readFeeData(fields: FieldReader): bigint | undefined {
  let price: bigint | undefined
  while (fields.next()) {
    if (fields.field === 1 || fields.field === 2) skipMessage(fields.message())
    else if (fields.field === 3) price = readGas(fields.message())
  }
  return price
}

function readGas(components: FieldReader): bigint {
  let gas = 0n
  while (components.next()) if (components.field === 8) gas = components.int64()
  return gas
}
