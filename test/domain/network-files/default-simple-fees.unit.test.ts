import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { type Functionality, functionalities } from '#src/domain/functionalities.ts'
import { defaultSimpleFees } from '#src/domain/network-files/default-simple-fees.ts'
import type { ExtraName } from '#src/domain/network-files/simple-fees.ts'

const file = fileURLToPath(new URL('../../../../shared/reference/data/simpleFeesSchedules.json', import.meta.url))
if (!existsSync(file)) console.warn(`skipped: the published schedule is not at ${file}`)

interface Extra {
  readonly name: ExtraName
  readonly includedCount: number
}

interface Definition {
  readonly name: string
  readonly baseFee: number
  readonly extras: readonly Extra[]
  readonly nodeNetworkFeeExempt?: boolean
  readonly highVolumeRates?: {
    readonly maxMultiplier: number
    readonly pricingCurve: {
      readonly piecewiseLinear: {
        readonly points: readonly { readonly utilizationBasisPoints: number; readonly multiplier: number }[]
      }
    }
  }
}

interface Published {
  readonly node: { readonly baseFee: number; readonly extras: readonly Extra[] }
  readonly network: { readonly multiplier: number }
  readonly extras: readonly { readonly name: ExtraName; readonly fee: number }[]
  readonly services: readonly { readonly schedule: readonly Definition[] }[]
}

it.skipIf(!existsSync(file))('is the schedule as published, without queries (skipped without ../shared)', () => {
  const { node, network, extras, services } = JSON.parse(readFileSync(file, 'utf8')) as Published
  const definitions = services
    .flatMap(({ schedule }) => schedule)
    .filter(({ name }) => Object.hasOwn(functionalities, name))
  expect(defaultSimpleFees).toEqual({
    node: { baseFee: BigInt(node.baseFee), extras: included(node.extras) },
    networkMultiplier: network.multiplier,
    unitFees: new Map(extras.map(({ name, fee }) => [name, BigInt(fee)])),
    services: new Map(
      definitions.map((definition) => [functionalities[definition.name as Functionality], feesOf(definition)]),
    ),
  })
  expect(definitions).toHaveLength(Object.keys(functionalities).length)
})

const included = (extras: readonly Extra[]) => new Map(extras.map(({ name, includedCount }) => [name, includedCount]))

function feesOf({ baseFee, extras, nodeNetworkFeeExempt = false, highVolumeRates: rates }: Definition) {
  return {
    baseFee: BigInt(baseFee),
    extras: included(extras),
    nodeNetworkExempt: nodeNetworkFeeExempt,
    highVolume: rates && {
      maxMultiplier: rates.maxMultiplier,
      points: rates.pricingCurve.piecewiseLinear.points.map(({ utilizationBasisPoints: utilization, multiplier }) => ({
        utilization,
        multiplier,
      })),
    },
  }
}
