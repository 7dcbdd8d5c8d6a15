import { isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import { listAfterMarker, parseStreamFileName } from '#src/importer/record/file-name.ts'
import type { FolderNode, NodeFolders } from '#src/importer/source/node-folders.ts'

/** Where one node's signature of a file is. */
export interface SignatureObject {
  readonly nodeId: bigint
  /** Path of the node's folder; the data file is in it too. */
  readonly folder: string
  readonly name: string
  readonly size: number
  /** Whether the data file was listed beside it. */
  readonly hasData: boolean
}

/** One file of the stream, as far as listing tells: everything that nodes have signed under one instant. */
export interface Candidate {
  /** Name without extension; sorts like the files. */
  readonly stem: string
  /** Instant (ns) in the name; undefined when the name is none of a stream file. */
  readonly instant: bigint | undefined
  /** Ascending by node id. */
  readonly signatures: readonly SignatureObject[]
  /** Bytes of the greatest data file listed beside a signature; 0 when none was. */
  readonly dataSize: number
}

export interface Listing {
  /** Ascending by name. */
  readonly candidates: readonly Candidate[]
  /** Nodes whose folder could not be read; they are left out. */
  readonly problems: readonly LedgerError[]
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

interface NodeListing {
  readonly node: FolderNode
  readonly folder: string
  readonly objects: readonly { readonly name: string; readonly size: number }[]
  /** Last name when there may be more behind it. */
  readonly horizon: string | undefined
}

/** Lists what the nodes offer behind the marker and groups it by file. Rejects when no node's folder can be read. */
export async function listCandidates(options: ListCandidatesOptions): Promise<Listing> {
  const outcomes = await Promise.allSettled(options.nodes.map((node) => listNode(node, options)))
  const listings: NodeListing[] = []
  const problems: LedgerError[] = []
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') listings.push(outcome.value)
    else if (isLedgerError(outcome.reason)) problems.push(outcome.reason)
    else throw outcome.reason
  }
  options.signal?.throwIfAborted()
  if (listings.length === 0 && problems[0]) throw problems[0]
  return { candidates: group(listings, options.signatureBytesMax), problems }
}

async function listNode(node: FolderNode, options: ListCandidatesOptions): Promise<NodeListing> {
  const { folders, after, filesMax, signal } = options
  // Two more, so that the last name, which may be cut in two, is not the only one.
  const countMax = 2 * filesMax + 2
  const { folder, objects } = await folders.list(node, after, countMax, signal)
  return { node, folder, objects, horizon: objects.length >= countMax ? objects.at(-1)?.name : undefined }
}

function group(listings: readonly NodeListing[], signatureBytesMax: number): Candidate[] {
  // A node that has more than was listed may also have signed a later file, so nothing behind its last name is whole.
  const [horizon] = listings
    .flatMap((listing) => listing.horizon ?? [])
    .map(stemOf)
    .sort()
  const signatures = new Map<string, SignatureObject[]>()
  const sizes = new Map<string, number>()
  for (const { node, folder, objects } of listings) {
    const data = new Map(objects.filter(({ name }) => !isSignature(name)).map(({ name, size }) => [stemOf(name), size]))
    for (const { name, size } of objects) {
      const stem = stemOf(name)
      if (!isSignature(name) || size > signatureBytesMax || (horizon !== undefined && stem >= horizon)) continue
      const dataSize = data.get(stem)
      sizes.set(stem, Math.max(dataSize ?? 0, sizes.get(stem) ?? 0))
      pushTo(signatures, stem, { nodeId: node.nodeId, folder, name, size, hasData: dataSize !== undefined })
    }
  }
  return [...signatures].sort(byStem).map(([stem, found]) => candidateOf(stem, found, sizes.get(stem) ?? 0))
}

function byStem([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

function candidateOf(stem: string, signatures: SignatureObject[], dataSize: number): Candidate {
  const instant = parseStreamFileName(signatures[0]?.name ?? '')?.instant
  return { stem, instant, signatures: signatures.sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1)), dataSize }
}

function pushTo(groups: Map<string, SignatureObject[]>, stem: string, signature: SignatureObject): void {
  const known = groups.get(stem)
  if (known) known.push(signature)
  else groups.set(stem, [signature])
}

function isSignature(name: string): boolean {
  return name.endsWith('.rcd_sig') || name.endsWith('.rcd_sig.gz')
}

function stemOf(name: string): string {
  return listAfterMarker(name)
}
