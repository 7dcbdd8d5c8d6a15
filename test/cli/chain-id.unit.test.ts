import { expect, it } from 'vitest'
import { chainIdOf } from '#src/cli/chain-id.ts'

it.each([
  [0, 'mainnet', 295n],
  [0, 'testnet', 296n],
  [0, 'previewnet', 297n],
  [0, 'simulated', 298n],
  [0, null, 298n],
  [31_337, 'mainnet', 31_337n],
] as const)('with %i configured, the chain of %s is %i', (configured, network, chain) => {
  expect(chainIdOf(configured, network)).toBe(chain)
})
