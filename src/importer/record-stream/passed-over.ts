import type { LedgerError } from '#src/domain/errors.ts'
import { invalidName } from '#src/importer/record/malformed.ts'
import type { Candidate, LeftOutNode, OddName } from '#src/importer/source/candidates.ts'
import { canAgree, type Trust } from '#src/importer/verify/trust.ts'

/**
 * What a pass did not take. A name is passed over because a later one may continue the chain, which proves that nothing is
 * missing; what is passed over counts as a problem only if no later one does.
 */
export class PassedOver {
  /** Whether every name so far is one that too few nodes carry for it ever to be accepted. */
  onlyMinorities = true
  #first: LedgerError | undefined
  #oddName: LedgerError | undefined
  #leftOut: LedgerError | undefined

  /** Why nothing could be taken, if so. */
  get problem(): LedgerError | undefined {
    return this.#first ?? this.#oddName ?? this.#leftOut
  }

  /** The first rejection since the last accepted file. */
  get rejection(): LedgerError | undefined {
    return this.#first
  }

  add(candidate: Candidate, error: LedgerError, trust: Trust): void {
    this.#first ??= error
    const nodeIds = candidate.signatures.map(({ nodeId }) => nodeId)
    if (canAgree(trust, nodeIds)) this.onlyMinorities = false
  }

  /** Takes note of names that are none; those of too few nodes to matter are returned as warnings. */
  addOddNames(oddNames: readonly OddName[], trust: Trust): LedgerError[] {
    const warnings: LedgerError[] = []
    for (const { name, nodeIds } of oddNames) {
      const error = invalidName(name, 'it is not the name of a signature file', nodeIds[0])
      if (canAgree(trust, nodeIds)) this.#oddName ??= error
      else warnings.push(error)
    }
    return warnings
  }

  /** Takes note of nodes that could not be read; without enough of the others the end of the stream is not its end. */
  addLeftOut(nodes: readonly LeftOutNode[], trust: Trust): void {
    const nodeIds = nodes.map(({ nodeId }) => nodeId)
    if (nodes[0] && canAgree(trust, nodeIds)) this.#leftOut ??= nodes[0].error
  }

  /** A file was accepted. */
  clear(): void {
    this.#first = undefined
    this.onlyMinorities = true
  }
}
