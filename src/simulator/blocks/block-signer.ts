/** A ledger whose nodes sign blocks together. */
export interface BlockSigner {
  /** A serialized LedgerIdPublicationTransactionBody: by it readers check the signatures. */
  readonly publication: Uint8Array
  /** Signs the hash of a block, 48 bytes. The same hash gets the same signature. */
  sign(hash: Uint8Array): Uint8Array
}
