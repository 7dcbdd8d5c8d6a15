import type { MessageId } from '#src/importer/block/records/ids.ts'

/** What earlier blocks told, and a block of the stream does not repeat. */
export interface KnownFacts {
  /** Contents of a file as uploaded so far; undefined where they are not known any more. */
  contentsOf(file: MessageId): Buffer | undefined
  /** Serialized ExchangeRateSet in force; undefined before the first. */
  readonly exchangeRates: Buffer | undefined
}

export const nothingKnown: KnownFacts = {
  contentsOf: () => undefined,
  exchangeRates: undefined,
}
