import { readAddressBook } from '#src/domain/address-book.ts'
import type { ProofChecker } from '#src/importer/block-stream/prove-block.ts'
import type { ConsensusRatio } from '#src/importer/verify/consensus.ts'
import { PublicKeys } from '#src/importer/verify/public-keys.ts'
import { weightsOf } from '#src/importer/verify/stakes.ts'
import type { Trust } from '#src/importer/verify/trust.ts'
import type { Ledger } from '#src/tss/ledger.ts'

/** Whom to believe about a single file, as somebody says who holds it in his hands. */
export interface GivenTrust {
  /** That signs blocks; undefined where nobody says which. */
  readonly ledger: Ledger | undefined
  /** That sign record files; undefined where nobody says who they are. */
  readonly nodes: Trust | undefined
  readonly checker: ProofChecker
}

/** The nodes of an address book, which count the same: their stakes are not in it. Throws `address_book_invalid`. */
export function trustOfBook(addressBook: Uint8Array, ratio: ConsensusRatio): Trust {
  const { nodes } = readAddressBook(addressBook)
  const keys = new PublicKeys()
  const ids = nodes.map(({ nodeId }) => nodeId)
  return {
    version: 0,
    nodes: nodes.map((node) => ({ ...node, key: keys.find(node.publicKey) })),
    weights: weightsOf('EQUAL', ids, new Map()),
    ratio,
  }
}

export const withoutBook = 'nobody says who the nodes are; name their address book with --address-book'
export const withoutLedger =
  'nobody says who signs for the network; name its ledger id publication with --ledger-publication'
