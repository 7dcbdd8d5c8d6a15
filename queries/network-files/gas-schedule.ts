import type { Range } from '#queries/common/range.ts'
import { exchangeRatesFile } from '#queries/network-files/exchange-rate.ts'
import { type FoundFile, lookForFile } from '#queries/network-files/find-file.ts'
import type { NetworkFilesContext } from '#queries/network-files/reads.ts'
import { functionalities } from '#src/domain/functionalities.ts'
import { nanosPerSecond } from '#src/domain/ledger-time.ts'
import { type ExchangeRate, readExchangeRates } from '#src/domain/network-files/exchange-rates.ts'
import { type GasPrice, pricesOfSimpleFees, readGasPrices } from '#src/domain/network-files/gas-prices.ts'
import { readSimpleFees, type SimpleFees } from '#src/domain/network-files/simple-fees.ts'

/** Since there are simple fees; networks write the older one no more. */
export const simpleFeesFile = 113n
const feeScheduleFile = 111n

/** What gas costs by kind of transaction, as a file of the network says it. */
export interface GasSchedule {
  /** ns; of the file's newest part. */
  readonly time: bigint
  /** Those in force at a time (ns). */
  readonly pricesAt: (time: bigint) => readonly GasPrice[]
  /** Of the creation of an account without a key, tinycents; only simple fees say it. */
  readonly creationPrice?: bigint | undefined
}

/** That of a window: of the simple fees wherever the network has them, else of the older schedule; undefined where it has neither. */
export async function lookForGasSchedule(
  window: Range,
  context: NetworkFilesContext,
): Promise<GasSchedule | undefined> {
  const simple = await lookForFile(simpleFeesFile, window, context)
  if (simple !== undefined) return ofSimpleFees(simple)
  const older = await lookForFile(feeScheduleFile, window, context)
  return older && ofFeeSchedule(older)
}

function ofSimpleFees({ time, contents }: FoundFile): GasSchedule {
  const { prices, creationPrice } = simplePricesOf(contents)
  return { time, pricesAt: () => prices, creationPrice }
}

function ofFeeSchedule({ time, contents }: FoundFile): GasSchedule {
  const prices = olderPricesOf(contents)
  return { time, pricesAt: (at) => inForce(prices, at).prices }
}

/** Reads contents unless they are those that were read before: they are long, asked for with nearly every page, and seldom others. */
function readOnce<T>(read: (contents: Uint8Array) => T): (contents: Uint8Array) => T {
  let last: { readonly contents: Buffer; readonly found: T } | undefined
  return (contents) => {
    if (!last?.contents.equals(contents)) last = { contents: Buffer.from(contents), found: read(contents) }
    return last.found
  }
}

const simplePricesOf = readOnce((contents) => {
  const fees = readSimpleFees(contents)
  return { prices: pricesOfSimpleFees(fees), creationPrice: creationPriceOf(fees) }
})

/** What node, network and service get together. */
function creationPriceOf({ node, networkMultiplier, services }: SimpleFees): bigint | undefined {
  const service = services.get(functionalities.CryptoCreate)
  return service && node.baseFee * BigInt(1 + networkMultiplier) + service.baseFee
}
const olderPricesOf = readOnce(readGasPrices)

/**
 * What a unit of a call's gas cost at each of these times, tinybars: what transactions paid that name no price. null where no fee
 * schedule or no exchange rate is known of then.
 */
export async function findCallGasPrices(
  times: readonly bigint[],
  context: NetworkFilesContext,
): Promise<ReadonlyMap<bigint, bigint | null>> {
  const newestFirst = [...new Set(times)].sort((a, b) => (a > b ? -1 : 1))
  const before = (upper: bigint): Range => ({ lower: 0n, upper })
  const [schedules, rates] = await Promise.all([
    inForceAt(newestFirst, (upper) => lookForGasSchedule(before(upper), context)),
    inForceAt(newestFirst, (upper) => lookForFile(exchangeRatesFile, before(upper), context)),
  ])
  return new Map(newestFirst.map((time, at) => [time, priceAt(time, schedules[at], rates[at])]))
}

/** The newest at each of the times, which descend; files change seldom, so nearly always it is one look. */
async function inForceAt<T extends { readonly time: bigint }>(
  newestFirst: readonly bigint[],
  look: (upper: bigint) => Promise<T | undefined>,
): Promise<(T | undefined)[]> {
  const found: (T | undefined)[] = []
  let newest: T | undefined | null = null
  for (const upper of newestFirst) {
    if (newest === null || (newest !== undefined && newest.time > upper)) newest = await look(upper)
    found.push(newest)
  }
  return found
}

function priceAt(time: bigint, schedule: GasSchedule | undefined, rates: FoundFile | undefined): bigint | null {
  if (schedule === undefined || rates === undefined) return null
  const rate = inForce(readExchangeRates(rates.contents), time)
  const price = callPriceAt(schedule, time)
  return price === undefined || rate.cents === 0 ? null : tinybarsOf(price, rate)
}

/** Thousandths of a tinycent for a unit of gas of a call. */
export function callPriceAt(schedule: GasSchedule, time: bigint): bigint | undefined {
  return schedule.pricesAt(time).find(({ functionality }) => functionality === functionalities.ContractCall)?.price
}

/** What a file says of a time (ns): the next once the present has expired. */
export function inForce<T extends { readonly expires: bigint }>(
  { current, next }: { readonly current: T; readonly next: T },
  time: bigint,
): T {
  return time > current.expires * nanosPerSecond ? next : current
}

/** What a unit of gas of a price costs at a rate that is not 0, at least one tinybar. */
export function tinybarsOf(price: bigint, { hbars, cents }: Pick<ExchangeRate, 'hbars' | 'cents'>): bigint {
  const gas = ((price / 1_000n) * BigInt(hbars)) / BigInt(cents)
  return gas < 1n ? 1n : gas
}
