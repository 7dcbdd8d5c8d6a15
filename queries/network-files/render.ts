import { defineObject } from '#queries/common/define-object.ts'
import { int64, objectSchema, text } from '#queries/common/object-schema.ts'
import { timeText } from '#src/domain/json-text.ts'
import type { ExchangeRate, ExchangeRates } from '#src/domain/network-files/exchange-rates.ts'
import type { ChargedExtra, FeeEstimate, FeePart } from '#src/domain/network-files/fee-estimate.ts'
import { plainMultiplier } from '#src/domain/network-files/high-volume.ts'

const time = { ...text, description: 'Consensus time of the last part of the file' }
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

export const exchangeRatesObject = defineObject<ExchangeRates & { readonly time: bigint }>(
  {
    current_rate: [rateObject.schema, ({ current }) => rateObject.render(current)],
    next_rate: [rateObject.schema, ({ next }) => rateObject.render(next)],
    timestamp: [time, ({ time }) => timeText(time)],
  },
  { title: 'ExchangeRates' },
)

const gasFeeSchema = objectSchema(
  { gas: { ...int64, description: 'Tinybars for a unit of gas' }, transaction_type: text },
  { title: 'GasFee' },
)

export const gasFeesSchema = objectSchema(
  { fees: { type: 'array', items: gasFeeSchema }, timestamp: time },
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

/** The multiplier, in thousandths, is shown without its fraction, as is usual, and beside it with one where it has one. */
export const estimateObject = defineObject<FeeEstimate & { readonly multiplier: number }>(
  {
    high_volume_multiplier: [
      { ...int64, minimum: 1, description: 'Price of high volume, without its fraction' },
      ({ multiplier }) => Math.trunc(multiplier / plainMultiplier),
    ],
    high_volume_multiplier_exact: [
      {
        type: 'number',
        description: 'The same with its fraction, of which there are three digits; left out where there is none',
      },
      ({ multiplier }) => (multiplier % plainMultiplier === 0 ? undefined : multiplier / plainMultiplier),
      'optional',
    ],
    network: [networkObject.schema, ({ network }) => networkObject.render(network)],
    node: [partObject.schema, ({ node }) => partObject.render(node)],
    service: [partObject.schema, ({ service }) => partObject.render(service)],
    total: [{ ...amount, description: 'Tinycents, the price of high volume included' }, ({ total }) => total],
  },
  { title: 'FeeEstimate' },
)
