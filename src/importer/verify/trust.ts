import type { KeyObject } from 'node:crypto'
import { type AddressBookNode, readAddressBook } from '#src/domain/address-book.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { ImportState } from '#src/importer/state/import-state.ts'
import { type ConsensusRatio, defaultConsensusRatio, requiredStake } from '#src/importer/verify/consensus.ts'
import { PublicKeys } from '#src/importer/verify/public-keys.ts'
import { type StakeMode, type Weights, weightsOf } from '#src/importer/verify/stakes.ts'

export interface TrustedNode extends AddressBookNode {
  /** undefined: the book has no usable key, so nothing of this node can be verified. */
  readonly key: KeyObject | undefined
}

/** Whom to believe, and how much: the newest address book of file 0.0.102 and the stakes in force. */
export interface Trust {
  /** The state's version that this was made from. */
  readonly version: number
  readonly nodes: readonly TrustedNode[]
  readonly weights: Weights
  readonly ratio: ConsensusRatio
}

export interface TrustOptions {
  readonly shard: bigint
  readonly realm: bigint
  readonly stakeMode: StakeMode
  readonly consensusRatio: ConsensusRatio
  /** One key for all nodes, as hex text: for test networks. */
  readonly publicKey?: string | undefined
}

export function trustOf(state: ImportState, keys: PublicKeys, options: TrustOptions): Trust {
  const { shard, realm, stakeMode, consensusRatio, publicKey } = options
  const book = state.document('book/102')
  if (!book) {
    throw new LedgerError(
      'address_book_invalid',
      'The log holds no address book of file 0.0.102, which says whose signatures of record files count; begin a new one with --address-book',
      {},
    )
  }
  const { nodes } = readAddressBook(book.contents, { shard, realm })
  const nodeIds = nodes.map(({ nodeId }) => nodeId)
  return {
    version: state.trustVersion,
    nodes: nodes.map((node) => ({ ...node, key: keys.find(publicKey ?? node.publicKey) })),
    weights: weightsOf(stakeMode, nodeIds, state.stakes()),
    ratio: consensusRatio,
  }
}

/** The trust in force, made anew when the state has another address book or other stakes. */
export class CurrentTrust {
  readonly #state: ImportState
  readonly #options: TrustOptions
  readonly #keys = new PublicKeys()
  #trust: Trust | undefined

  constructor(state: ImportState, options: TrustOptions) {
    this.#state = state
    this.#options = options
  }

  now(): Trust {
    if (this.#trust?.version !== this.#state.trustVersion) this.#trust = trustOf(this.#state, this.#keys, this.#options)
    return this.#trust
  }
}

/**
 * Whether these nodes alone could make a file accepted. Where the ratio is 0 any node could, which says nothing of what
 * matters; there the default ratio tells few from many.
 */
export function canAgree({ weights, ratio }: Trust, nodeIds: readonly bigint[]): boolean {
  const stake = [...new Set(nodeIds)].reduce((sum, nodeId) => sum + weights.of(nodeId), 0n)
  return stake >= requiredStake(weights.total, ratio.numerator === 0n ? defaultConsensusRatio : ratio)
}
