import { defineObject } from '#queries/common/define-object.ts'
import { int64, objectSchema, text } from '#queries/common/object-schema.ts'
import { timeText } from '#src/domain/json-text.ts'
import type { ExchangeRate } from '#src/domain/network-files/exchange-rates.ts'
import type { ChargedExtra, FeeEstimate, FeePart } from '#src/domain/network-files/fee-estimate.ts'
import { plainMultiplier } from '#src/domain/network-files/high-volume.ts'

interface OfFile {
  /** ns */
  readonly time: bigint
}

const timeOfFile = [
  { ...text, description: 'Consensus time of the last part of the file' },
  ({ time }: OfFile) => timeText(time),
] as const

const int32 = { type: 'integer', format: 'int32' }
const amount = { ...int64, minimum: 0 }
const tinycents = { ...amount, description: 'Tinycents' }

const rateObject = defineObject<ExchangeRate>(
  {
    cent_equivalent: [{ ...int32, description: 'US cents' }, ({ cents }) => cents],
    expiration_time: [{ ...int64, description: 'Seconds since the epoch' }, ({ expires }) => expires],
    hbar_equivalent: [{ ...int32, description: 'What so many hbars are worth' }, ({ hbars }) => hbars],
  },
  { title: 'ExchangeRate' },
)

export const exchangeRatesObject = defineObject<
  OfFile & { readonly current: ExchangeRate; readonly next: ExchangeRate }
>(
  {
    current_rate: [rateObject.schema, ({ current }) => rateObject.render(current)],
    next_rate: [rateObject.schema, ({ next }) => rateObject.render(next)],
    timestamp: timeOfFile,
  },
  { title: 'ExchangeRates' },
)

export interface GasFee {
  /** Of the kind of transaction. */
  readonly name: string
  readonly gas: bigint
}

const gasFeeObject = defineObject<GasFee>(
  {
    gas: [{ ...int64, description: 'Tinybars for a unit of gas' }, ({ gas }) => gas],
    transaction_type: [text, ({ name }) => `"${name}"`],
  },
  { title: 'GasFee' },
)

export const gasFeesObject = defineObject<OfFile & { readonly fees: readonly GasFee[] }>(
  {
    fees: [{ type: 'array', items: gasFeeObject.schema }, ({ fees }) => `[${fees.map(gasFeeObject.render)}]`],
    timestamp: timeOfFile,
  },
  { title: 'GasFees' },
)

const extraObject = defineObject<ChargedExtra>(
  {
    charged: [
      { ...amount, description: 'How many of them are paid for: those beyond what is included' },
      ({ charged }) => charged,
    ],
    count: [{ ...amount, description: 'How many there are' }, ({ count }) => count],
    fee_per_unit: [tinycents, ({ feePerUnit }) => feePerUnit],
    included: [{ ...amount, description: 'How many the base pays for' }, ({ included }) => included],
    name: [text, ({ name }) => `"${name}"`],
    subtotal: [tinycents, ({ subtotal }) => subtotal],
  },
  { title: 'FeeExtra' },
)

const partObject = defineObject<FeePart>(
  {
    base: [tinycents, ({ base }) => base],
    extras: [{ type: 'array', items: extraObject.schema }, ({ extras }) => `[${extras.map(extraObject.render)}]`],
  },
  { title: 'FeePart' },
)

const networkObject = defineObject<FeeEstimate['network']>(
  {
    multiplier: [{ ...amount, description: "Of the node's part" }, ({ multiplier }) => multiplier],
    subtotal: [tinycents, ({ subtotal }) => subtotal],
  },
  { title: 'NetworkFeePart' },
)

export const feeEstimateSchema = objectSchema(
  {
    high_volume_multiplier: { ...int64, minimum: 1, description: 'Price of high volume, without its fraction' },
    high_volume_multiplier_exact: {
      type: 'number',
      description: 'The same with its fraction, of which there are three digits; left out where there is none',
    },
    network: networkObject.schema,
    node: partObject.schema,
    service: partObject.schema,
    total: { ...amount, description: 'Tinycents, the price of high volume included' },
  },
  { title: 'FeeEstimate', optional: ['high_volume_multiplier_exact'] },
)

/** JSON text. The multiplier is shown without its fraction, as is usual, and beside it with one where it has one. */
export function renderEstimate({ node, network, service, total }: FeeEstimate, multiplier: number): string {
  const exact = multiplier / plainMultiplier
  const fraction = Number.isInteger(exact) ? '' : `"high_volume_multiplier_exact":${exact},`
  return (
    `{"high_volume_multiplier":${Math.trunc(exact)},${fraction}"network":${networkObject.render(network)},` +
    `"node":${partObject.render(node)},"service":${partObject.render(service)},"total":${total}}`
  )
}
