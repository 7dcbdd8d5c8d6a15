import { Hardfork } from '@ethereumjs/common'

/** How the network's EVM behaves in a version of it. */
export interface EvmRules {
  readonly version: string
  /** Operations that exist. What gas costs is the same in all versions. */
  readonly hardfork: string
  /** Looking at an address where nothing is ends the frame, as does calling it. */
  readonly needsAddresses: boolean
  /** Hbar sent to an address that nobody has creates an account. */
  readonly createsLazily: boolean
  /** The hash of the block is seen as what was drawn for it. */
  readonly seesRandom: boolean
  /** A call to an account of the system that is no contract takes all gas that it was given. */
  readonly systemCallsTakeGas: boolean
}

const oldest = { needsAddresses: true, createsLazily: false, seesRandom: false, systemCallsTakeGas: false }
const lazy = { ...oldest, createsLazily: true, seesRandom: true }
const today = { needsAddresses: false, createsLazily: true, seesRandom: true, systemCallsTakeGas: true }

/** By version, oldest first. */
const all: readonly EvmRules[] = [
  { version: '0.30', hardfork: Hardfork.Paris, ...oldest },
  { version: '0.34', hardfork: Hardfork.Paris, ...lazy },
  { version: '0.38', hardfork: Hardfork.Shanghai, ...lazy, systemCallsTakeGas: true },
  { version: '0.46', hardfork: Hardfork.Shanghai, ...today },
  { version: '0.50', hardfork: Hardfork.Cancun, ...today },
  { version: '0.51', hardfork: Hardfork.Cancun, ...today },
  { version: '0.65', hardfork: Hardfork.Cancun, ...today },
  { version: '0.66', hardfork: Hardfork.Cancun, ...today },
  { version: '0.67', hardfork: Hardfork.Cancun, ...today },
]

const newest = all[all.length - 1]!

/** From which block of the main network each version is in force. */
const mainnetStarts: readonly (readonly [block: bigint, version: string])[] = [
  [87_129_575n, '0.67'],
  [85_659_065n, '0.66'],
  [85_011_472n, '0.65'],
  [66_602_102n, '0.51'],
  [65_435_845n, '0.50'],
  [60_258_042n, '0.46'],
  [49_117_794n, '0.38'],
  [44_029_066n, '0.34'],
  [0n, '0.30'],
]

export function rulesOf(version: string): EvmRules | undefined {
  return all.find((rules) => rules.version === version)
}

/** What is in force at a block: the newest rules on every network but the main one. */
export function rulesAt(network: string, block: bigint): EvmRules {
  if (network !== 'mainnet') return newest
  const [, version] = mainnetStarts.find(([from]) => block >= from) ?? []
  return (version === undefined ? undefined : rulesOf(version)) ?? newest
}
