import { Hardfork } from '@ethereumjs/common'

/** How the network's EVM behaves in a version of it. */
export interface EvmRules {
  readonly version: string
  /** Operations that exist. What gas costs is the same in all versions. */
  readonly hardfork: string
  /** Further changes to Ethereum that are in force, by their numbers. */
  readonly eips: readonly number[]
  /** Number of the last contract that the EVM has built in. */
  readonly lastPrecompile: bigint
  /** Looking at an address where nothing is ends the frame, as does calling it. */
  readonly needsAddresses: boolean
  /** Hbar sent to an address that nobody has creates an account. */
  readonly createsLazily: boolean
  /** The hash of the block is seen as what was drawn for it. */
  readonly seesRandom: boolean
  /** A call to an account of the system that is no contract takes all gas that it was given. */
  readonly systemCallsTakeGas: boolean
  /** Call data costs something also where little is run (EIP-7623). */
  readonly hasDataFloor: boolean
  /** What the network charges for is priced by its simple fees (HIP-1261). */
  readonly hasSimpleFees: boolean
}

const initCodeByWord = 3_860
const curveBls12 = 2_537

const common = { eips: [], lastPrecompile: 10n, hasDataFloor: false, hasSimpleFees: false }
const oldest = {
  ...common,
  hardfork: Hardfork.Paris,
  eips: [initCodeByWord],
  needsAddresses: true,
  createsLazily: false,
  seesRandom: false,
  systemCallsTakeGas: false,
}
const lazy = { ...oldest, createsLazily: true, seesRandom: true }
const likeEthereum = {
  ...common,
  needsAddresses: false,
  createsLazily: true,
  seesRandom: true,
  systemCallsTakeGas: true,
}
const shanghai = { hardfork: Hardfork.Shanghai, eips: [] }
const cancun = { ...likeEthereum, hardfork: Hardfork.Cancun }
const pectra = { ...cancun, eips: [curveBls12], lastPrecompile: 17n, hasDataFloor: true, hasSimpleFees: true }

/** By version, oldest first. Each is named for the release of the network's software that it came with. */
const all: readonly EvmRules[] = [
  { version: '0.30', ...oldest },
  { version: '0.34', ...lazy },
  { version: '0.38', ...lazy, ...shanghai, systemCallsTakeGas: true },
  { version: '0.46', ...likeEthereum, ...shanghai },
  { version: '0.50', ...cancun },
  { version: '0.51', ...cancun },
  { version: '0.65', ...cancun },
  { version: '0.66', ...cancun },
  { version: '0.67', ...cancun },
  { version: '0.77', ...pectra },
]

export const newestRules = all[all.length - 1]!

export function rulesOf(version: string): EvmRules | undefined {
  return all.find((rules) => rules.version === version)
}

/** What is in force in a block of a HAPI version: the newest rules where it is not known. */
export function rulesAt(hapiVersion: string | undefined): EvmRules {
  if (hapiVersion === undefined) return newestRules
  const block = placeOf(hapiVersion)
  return all.findLast(({ version }) => placeOf(version) <= block) ?? all[0]!
}

const minorsPerMajor = 10_000

function placeOf(version: string): number {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major * minorsPerMajor + minor
}
