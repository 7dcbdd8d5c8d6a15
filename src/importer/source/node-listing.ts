import { LedgerError } from '#src/domain/errors.ts'
import { listAfterMarker, parseStreamFileName } from '#src/importer/record/file-name.ts'
import type { FolderNode, NodeFolders } from '#src/importer/source/node-folders.ts'

/** A record or signature file in a node's folder. */
export interface ListedFile {
  readonly kind: 'record' | 'signature'
  readonly name: string
  /** Name without extension; sorts like the files. */
  readonly stem: string
  readonly instant: bigint
  readonly size: number
}

export interface NodeListing {
  readonly nodeId: bigint
  /** Path of the node's folder. */
  readonly folder: string
  /** Ascending by name. */
  readonly files: readonly ListedFile[]
  /** Names that end like those of signatures but are none; only the first few. */
  readonly oddNames: readonly string[]
  /** Stem from which on more may follow; undefined when everything was listed. */
  readonly horizon: string | undefined
}

export interface ListNodeOptions {
  readonly folders: NodeFolders
  readonly after: string
  /** Record and signature files to list at least, if there are so many. */
  readonly countMin: number
  readonly signal?: AbortSignal | undefined
}

const pageObjects = 1_000
const pagesMax = 20
const oddNamesMax = 8

/**
 * Lists a node's files behind the marker. What is no file of the stream is passed over, however it is called: a node's
 * temporary files must not count for the files of the others. Rejects where there is too much of it to see two files.
 */
export async function listNode(node: FolderNode, options: ListNodeOptions): Promise<NodeListing> {
  const { folders, countMin, signal } = options
  const files: ListedFile[] = []
  const oddNames: string[] = []
  const { folder, objects: firstPage } = await folders.list(node, options.after, countMin, signal)
  let objects = firstPage
  let asked = countMin
  for (let page = 1; ; page++) {
    for (const { name, size } of objects) sortIn(name, size, files, oddNames)
    const last = objects.at(-1)?.name
    const isEnd = last === undefined || objects.length < asked || isBehindInstants(last)
    if (isEnd) return { nodeId: node.nodeId, folder, files, oddNames, horizon: undefined }
    if (files.length >= countMin || page === pagesMax) break
    asked = pageObjects
    objects = await folders.listIn(folder, last, asked, signal)
  }
  const horizon = files.at(-1)?.stem
  if (horizon === undefined || files[0]?.stem === horizon) throw crowded(folder, node.nodeId)
  return { nodeId: node.nodeId, folder, files, oddNames, horizon }
}

function sortIn(name: string, size: number, files: ListedFile[], oddNames: string[]): void {
  const parsed = parseStreamFileName(name)
  if (parsed === undefined) {
    if (/\.rcd_sig(?:\.gz)?$/.test(name) && oddNames.length < oddNamesMax) oddNames.push(name)
  } else if (parsed.kind !== 'sidecar') {
    files.push({ kind: parsed.kind, name, stem: listAfterMarker(name), instant: parsed.instant, size })
  }
}

/** Names of stream files begin with a digit, so nothing of interest follows a name that sorts behind all digits. */
function isBehindInstants(name: string): boolean {
  return name > ':'
}

function crowded(folder: string, nodeId: bigint): LedgerError {
  return new LedgerError(
    'source_unavailable',
    `${folder} of node ${nodeId} holds thousands of objects that are no stream files, so the node is left out; remove them`,
    { path: folder, node: nodeId },
  )
}
