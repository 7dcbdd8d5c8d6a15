import { LedgerError } from '#src/domain/errors.ts'
import type { SourceFiles } from '#src/importer/gaps/gap.ts'
import { listAfterMarker } from '#src/importer/record/file-name.ts'
import type { ImporterSettings } from '#src/importer/settings.ts'
import { type Candidate, listCandidates } from '#src/importer/source/candidates.ts'
import { NodeFolders } from '#src/importer/source/node-folders.ts'
import type { ImportState } from '#src/importer/state/import-state.ts'
import { PublicKeys } from '#src/importer/verify/public-keys.ts'
import { chooseSuccessor } from '#src/importer/verify/succession.ts'
import { canAgree, type Trust, trustOf } from '#src/importer/verify/trust.ts'
import { verifyFile } from '#src/importer/verify/verify-file.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'

const listFilesMax = 500
/** Files that may stand between a block and its successor because nobody accepts them. */
const successorsMax = 20

export interface Between {
  /** Name of a file; only later ones count. undefined: from the beginning. */
  readonly after: string | undefined
  /** Name of a file; only earlier ones count. undefined: to the end. */
  readonly before: string | undefined
  /** Only files whose instant (ns) is later than this count. */
  readonly afterInstant?: bigint | undefined
  /** Only files whose instant (ns) is not later than this count. */
  readonly untilInstant?: bigint | undefined
}

/** Counts files of the source that enough nodes have signed, by listing alone; holds one page at a time. */
export class SourceListing {
  readonly #source: StreamSource
  readonly #settings: ImporterSettings
  readonly #signal: AbortSignal | undefined
  readonly #keys = new PublicKeys()

  constructor(source: StreamSource, settings: ImporterSettings, signal: AbortSignal | undefined) {
    this.#source = source
    this.#settings = settings
    this.#signal = signal
  }

  /** `state` says whose files count. */
  async count({ after, before, afterInstant, untilInstant }: Between, state: ImportState): Promise<SourceFiles> {
    const trust = trustOf(state, this.#keys, this.#settings)
    const end = before === undefined ? undefined : listAfterMarker(before)
    const counts = (candidate: Candidate): boolean =>
      (end === undefined || candidate.stem < end) &&
      (afterInstant === undefined || candidate.instant > afterInstant) &&
      (untilInstant === undefined || candidate.instant <= untilInstant) &&
      canAgree(
        trust,
        candidate.signatures.map(({ nodeId }) => nodeId),
      )
    let [count, first, last]: [number, string | undefined, string | undefined] = [0, undefined, undefined]
    for await (const candidates of this.#pages(after === undefined ? '' : listAfterMarker(after), trust)) {
      for (const { stem } of candidates.filter(counts)) {
        count += 1
        last = stem.slice(0, -1)
        first ??= last
      }
      if (end !== undefined && (candidates.at(-1)?.stem ?? '') >= end) break
    }
    return { count, first, last }
  }

  /**
   * Why none of the next files continues the last block, as the importer would say it; undefined where one does. Only the
   * next few are looked at: one that continues it comes before long, or not at all.
   */
  async successorProblem(state: ImportState, untilInstant: bigint): Promise<LedgerError | undefined> {
    const { lastBlock } = state
    if (lastBlock === undefined) return undefined
    const trust = trustOf(state, this.#keys, this.#settings)
    const options = { ...this.#settings, source: this.#source, signal: this.#signal }
    const { value: page = [] } = await this.#pages(listAfterMarker(lastBlock.name), trust).next()
    let problem: LedgerError | undefined
    for (const candidate of page.slice(0, successorsMax)) {
      if (candidate.instant > untilInstant) break
      const { files, error } = await verifyFile(candidate, trust, options)
      const next = error ?? chooseSuccessor(files, { chainHash: lastBlock.hash, lastBlock })
      if (!(next instanceof LedgerError)) return undefined
      problem ??= next
    }
    return problem
  }

  async *#pages(after: string, { nodes }: Trust): AsyncGenerator<readonly Candidate[], void, undefined> {
    // Folders of its own for each listing: how the nodes are laid out may differ between its beginning and its end.
    const folders = this.#folders()
    const { signatureBytesMax } = this.#settings
    for (let marker: string | undefined = after; marker !== undefined; ) {
      this.#signal?.throwIfAborted()
      const page = { folders, nodes, after: marker, filesMax: listFilesMax, signatureBytesMax, signal: this.#signal }
      const { candidates, next } = await listCandidates(page)
      yield candidates
      marker = next
    }
  }

  #folders(): NodeFolders {
    const { network, pathType, pathPrefix } = this.#settings
    return new NodeFolders({
      source: this.#source,
      network,
      pathType,
      pathPrefix,
      refreshIntervalMs: 0,
      now: () => 0,
    })
  }
}
