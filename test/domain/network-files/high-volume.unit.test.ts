import { expect, it } from 'vitest'
import { functionalities } from '#src/domain/functionalities.ts'
import { defaultSimpleFees } from '#src/domain/network-files/default-simple-fees.ts'
import { highVolumeMultiplier } from '#src/domain/network-files/high-volume.ts'

const { CryptoCreate, TokenMint, CryptoApproveAllowance } = functionalities
const points = (...all: [utilization: number, multiplier: number][]) =>
  all.map(([utilization, multiplier]) => ({ utilization, multiplier }))

it.each([
  [CryptoCreate, 0, 4_000],
  [CryptoCreate, 2, 4_000],
  [CryptoCreate, 4, 9_000],
  [CryptoCreate, 75, 70_000],
  [CryptoCreate, 5_000, 200_000],
  [CryptoCreate, 10_000, 200_000],
  [TokenMint, 50, 6_000],
  [CryptoApproveAllowance, 0, 4_000],
])('prices kind %i at %i hundredths of a percent with %i thousandths', (kind, used, expected) => {
  expect(highVolumeMultiplier(defaultSimpleFees.services.get(kind)?.highVolume, used)).toBe(expected)
})

it('rises straight to the maximum where there is no curve', () => {
  const rates = { maxMultiplier: 100_000, points: [] }
  expect([0, 5_000, 10_000, 20_000, -1].map((used) => highVolumeMultiplier(rates, used))).toEqual([
    1_000, 50_500, 100_000, 100_000, 1_000,
  ])
})

it('is one without rates, and never less', () => {
  expect(highVolumeMultiplier(undefined, 10_000)).toBe(1_000)
  expect(highVolumeMultiplier({ maxMultiplier: 0, points: [] }, 10_000)).toBe(1_000)
  expect(highVolumeMultiplier({ maxMultiplier: 5_000, points: points([10, 300]) }, 10)).toBe(1_000)
})

it('never exceeds the maximum', () => {
  expect(highVolumeMultiplier({ maxMultiplier: 5_000, points: points([10, 9_000]) }, 10)).toBe(5_000)
})

it('takes points in the order of their use, and of several at one use the first', () => {
  const rates = { maxMultiplier: 50_000, points: points([200, 20_000], [100, 10_000], [100, 30_000]) }
  expect([50, 100, 150, 200, 300].map((used) => highVolumeMultiplier(rates, used))).toEqual([
    10_000, 10_000, 25_000, 20_000, 20_000,
  ])
})
