import { isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import type { FolderNode, NodeFolders } from '#src/importer/source/node-folders.ts'
import { type ListedFile, listNode, type NodeListing } from '#src/importer/source/node-listing.ts'

/** Where one node's signature of a file is. */
export interface SignatureObject {
  readonly nodeId: bigint
  /** Path of the node's folder; the data file is in it too. */
  readonly folder: string
  readonly name: string
  readonly size: number
  /** Bytes of the data file listed beside it; undefined when there was none. */
  readonly dataSize: number | undefined
}

/** One file of the stream, as far as listing tells: everything that nodes have signed under one instant. */
export interface Candidate {
  /** Name without extension; sorts like the files. */
  readonly stem: string
  /** Instant (ns) in the name. */
  readonly instant: bigint
  /** One per node, ascending by node id. */
  readonly signatures: readonly SignatureObject[]
  /** Bytes of the greatest data file listed beside a signature; 0 when none was. */
  readonly dataSize: number
  /** Nodes that have the data file or a signature of it. */
  readonly holders: readonly bigint[]
}

/** A data file that no node has signed yet, as far as listing tells. */
export type UnsignedFile = Pick<Candidate, 'stem' | 'instant' | 'holders'>

/** A name that ends like that of a signature but is none. */
export interface OddName {
  readonly name: string
  readonly nodeIds: readonly bigint[]
}

export interface Listing {
  /** Ascending by name. */
  readonly candidates: readonly Candidate[]
  /** Ascending by name. */
  readonly unsigned: readonly UnsignedFile[]
  readonly oddNames: readonly OddName[]
  /** Marker of the rest; undefined when everything was listed. */
  readonly next: string | undefined
  /** Nodes whose folder could not be read; they are left out. */
  readonly leftOut: readonly LeftOutNode[]
}

export interface LeftOutNode {
  readonly nodeId: bigint
  readonly error: LedgerError
}

export interface ListCandidatesOptions {
  readonly folders: NodeFolders
  readonly nodes: readonly FolderNode[]
  readonly after: string
  /** Files per node; twice as many objects are listed, since data and signatures interleave. */
  readonly filesMax: number
  readonly signatureBytesMax: number
  readonly signal?: AbortSignal | undefined
}

/** A file has up to four names (packed or not), so with so many more the last name is not the only one. */
const namesOfOne = 4

/** Lists what the nodes offer behind the marker and groups it by file. Rejects when no node's folder can be read. */
export async function listCandidates(options: ListCandidatesOptions): Promise<Listing> {
  const { folders, nodes, after, filesMax, signatureBytesMax, signal } = options
  const countMin = 2 * filesMax + namesOfOne
  const outcomes = await Promise.allSettled(nodes.map((node) => listNode(node, { folders, after, countMin, signal })))
  const listings: NodeListing[] = []
  const leftOut: LeftOutNode[] = []
  outcomes.forEach((outcome, index) => {
    if (outcome.status === 'fulfilled') listings.push(outcome.value)
    else if (isLedgerError(outcome.reason)) leftOut.push({ nodeId: nodes[index]!.nodeId, error: outcome.reason })
    else throw outcome.reason
  })
  signal?.throwIfAborted()
  if (listings.length === 0 && leftOut[0]) throw leftOut[0].error
  const horizon = horizonOf(listings)
  const holders = holdersOf(listings, horizon)
  const candidates = group(listings, horizon, signatureBytesMax, holders)
  return {
    candidates,
    unsigned: unsignedOf(holders, candidates),
    oddNames: oddNamesOf(listings),
    next: markerBefore(horizon, listings),
    leftOut,
  }
}

/** A node that has more than was listed may also have signed a later file, so nothing behind its last name is whole. */
function horizonOf(listings: readonly NodeListing[]): string | undefined {
  const [horizon] = listings.flatMap((listing) => listing.horizon ?? []).sort()
  return horizon
}

/** The greatest stem that is whole; the node that the horizon comes from has at least one. */
function markerBefore(horizon: string | undefined, listings: readonly NodeListing[]): string | undefined {
  if (horizon === undefined) return undefined
  let marker: string | undefined
  for (const { files } of listings) {
    for (const { stem } of files) if (stem < horizon && (marker === undefined || stem > marker)) marker = stem
  }
  return marker
}

type Holders = ReadonlyMap<string, { readonly instant: bigint; readonly nodeIds: Set<bigint> }>

function holdersOf(listings: readonly NodeListing[], horizon: string | undefined): Holders {
  const holders = new Map<string, { instant: bigint; nodeIds: Set<bigint> }>()
  for (const { nodeId, files } of listings) {
    for (const { stem, instant } of files) {
      if (horizon !== undefined && stem >= horizon) continue
      const known = holders.get(stem) ?? { instant, nodeIds: new Set() }
      holders.set(stem, known)
      known.nodeIds.add(nodeId)
    }
  }
  return holders
}

function unsignedOf(holders: Holders, candidates: readonly Candidate[]): UnsignedFile[] {
  const signed = new Set(candidates.map(({ stem }) => stem))
  return [...holders]
    .filter(([stem]) => !signed.has(stem))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([stem, { instant, nodeIds }]) => ({ stem, instant, holders: [...nodeIds] }))
}

function group(
  listings: readonly NodeListing[],
  horizon: string | undefined,
  signatureBytesMax: number,
  holders: Holders,
): Candidate[] {
  const groups = new Map<string, { instant: bigint; signatures: Map<bigint, SignatureObject> }>()
  for (const { nodeId, folder, files } of listings) {
    const data = sizesOf(files)
    for (const { kind, name, stem, instant, size } of files) {
      if (kind !== 'signature' || size > signatureBytesMax || (horizon !== undefined && stem >= horizon)) continue
      const known = groups.get(stem) ?? { instant, signatures: new Map() }
      groups.set(stem, known)
      // One voice per node, under however many names.
      if (known.signatures.has(nodeId)) continue
      known.signatures.set(nodeId, { nodeId, folder, name, size, dataSize: data.get(stem) })
    }
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([stem, { instant, signatures }]) =>
      candidateOf(stem, instant, [...signatures.values()], [...(holders.get(stem)?.nodeIds ?? [])]),
    )
}

function sizesOf(files: readonly ListedFile[]): Map<string, number> {
  return new Map(files.filter(({ kind }) => kind === 'record').map(({ stem, size }) => [stem, size]))
}

function candidateOf(stem: string, instant: bigint, found: SignatureObject[], holders: readonly bigint[]): Candidate {
  const signatures = found.sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1))
  const dataSize = Math.max(0, ...signatures.map((signature) => signature.dataSize ?? 0))
  return { stem, instant, signatures, dataSize, holders }
}

function oddNamesOf(listings: readonly NodeListing[]): OddName[] {
  const nodes = new Map<string, bigint[]>()
  for (const { nodeId, oddNames } of listings) {
    for (const name of oddNames) nodes.set(name, [...(nodes.get(name) ?? []), nodeId])
  }
  return [...nodes].map(([name, nodeIds]) => ({ name, nodeIds }))
}
