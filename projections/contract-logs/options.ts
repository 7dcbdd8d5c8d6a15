/** What the configuration says of logs that are made for what the ledger's own tokens do. */
export interface SyntheticLogOptions {
  /** Whether any are made at all. */
  readonly made: boolean
  /** Whether they are made for a transaction that moves more than two tokens. */
  readonly multiParty: boolean
  /** Whether they name accounts by the EVM address that they have, instead of their number. */
  readonly evmAddresses: boolean
}

export const defaultSyntheticLogOptions: SyntheticLogOptions = { made: true, multiParty: true, evmAddresses: true }

const bit = { made: 1, multiParty: 2, evmAddresses: 4 } as const

/** As a row has them. */
export function packOptions({ made, multiParty, evmAddresses }: SyntheticLogOptions): number {
  return (made ? bit.made : 0) | (multiParty ? bit.multiParty : 0) | (evmAddresses ? bit.evmAddresses : 0)
}

export function unpackOptions(bits: number): SyntheticLogOptions {
  return {
    made: (bits & bit.made) !== 0,
    multiParty: (bits & bit.multiParty) !== 0,
    evmAddresses: (bits & bit.evmAddresses) !== 0,
  }
}
