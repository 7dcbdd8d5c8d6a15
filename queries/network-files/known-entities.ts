/** What the ledger's state says of the entities that a transaction names, as far as fees depend on it. Ids are encoded entity ids. */
export interface KnownEntities {
  readonly topicsWithFees: ReadonlySet<bigint>
  readonly tokensWithFees: ReadonlySet<bigint>
  readonly collections: ReadonlySet<bigint>
}
