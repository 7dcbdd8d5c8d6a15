import type { PriceFacts } from '#src/evm/ledger-state.ts'
import type { EvmRules } from '#src/evm/rules.ts'

const tinycentsPerUsd = 10_000_000_000n
const gasUnits = 1_000n

/** tinybars for a unit of gas, at least one. */
export function gasPriceTinybars({ gasPrice, hbars, cents }: PriceFacts): bigint {
  const price = cents === 0n ? 0n : ((gasPrice / gasUnits) * hbars) / cents
  return price < 1n ? 1n : price
}

/** Gas for a price in tinycents, rounded up, without the mark-up of the services. */
function gasFor(tinycents: bigint, { gasPrice }: Pick<PriceFacts, 'gasPrice'>): bigint {
  return ((tinycents + gasPrice - 1n) * gasUnits) / gasPrice
}

/** The same with the mark-up of a fifth. */
export function markedUpGasFor(tinycents: bigint, prices: Pick<PriceFacts, 'gasPrice'>): bigint {
  const base = gasFor(tinycents, prices)
  return base + base / 5n
}

export function tinycents(usd: number): bigint {
  return BigInt(Math.round(usd * 1_000_000)) * (tinycentsPerUsd / 1_000_000n)
}

/** Of an account that is created for an address: by the older schedule, and by the simple fees as they were introduced. */
const olderCreation = 472_448_800n
const simpleCreation = 500_000_000n

export function creationGas(
  { gasPrice, creation }: PriceFacts,
  { hasSimpleFees }: Pick<EvmRules, 'hasSimpleFees'>,
): bigint {
  return ((hasSimpleFees ? (creation ?? simpleCreation) : olderCreation) * gasUnits) / gasPrice
}
