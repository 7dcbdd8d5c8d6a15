import { int64, objectSchema, text } from '#queries/common/object-schema.ts'

const time = { ...text, description: 'Consensus time of the last part of the file' }
const int32 = { type: 'integer', format: 'int32' }
const amount = { ...int64, minimum: 0 }

const rateSchema = objectSchema(
  {
    cent_equivalent: { ...int32, description: 'US cents' },
    expiration_time: { ...int64, description: 'Seconds since the epoch' },
    hbar_equivalent: { ...int32, description: 'What so many hbars are worth' },
  },
  { title: 'ExchangeRate' },
)

export const exchangeRateSchema = objectSchema(
  { current_rate: rateSchema, next_rate: rateSchema, timestamp: time },
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

const extraSchema = objectSchema(
  {
    charged: { ...amount, description: 'How many of them are paid for: those beyond what is included' },
    count: { ...amount, description: 'How many there are' },
    fee_per_unit: { ...amount, description: 'Tinycents' },
    included: { ...amount, description: 'How many the base pays for' },
    name: text,
    subtotal: { ...amount, description: 'Tinycents' },
  },
  { title: 'FeeExtra' },
)

const partSchema = objectSchema(
  { base: { ...amount, description: 'Tinycents' }, extras: { type: 'array', items: extraSchema } },
  { title: 'FeePart' },
)

const networkSchema = objectSchema(
  {
    multiplier: { ...amount, description: "Of the node's part" },
    subtotal: { ...amount, description: 'Tinycents' },
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
    network: networkSchema,
    node: partSchema,
    service: partSchema,
    total: { ...amount, description: 'Tinycents, the price of high volume included' },
  },
  { title: 'FeeEstimate', optional: ['high_volume_multiplier_exact'] },
)
