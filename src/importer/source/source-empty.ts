import { LedgerError } from '#src/domain/errors.ts'
import { instantText, parseStreamFileName } from '#src/importer/record/file-name.ts'
import type { FolderNode, NodeFolders } from '#src/importer/source/node-folders.ts'

export interface SourceEmptyOptions {
  /** What the source is, for people. */
  readonly source: string
  readonly network: string
  readonly nodes: readonly FolderNode[]
  readonly folders: NodeFolders
  /** Only files behind this instant (ns) were looked for. */
  readonly startTime: bigint | undefined
  readonly signal?: AbortSignal | undefined
}

const objectsMax = 100

/** Nothing was found; says where it was looked for, and whether only the start date is in the way. */
export async function sourceEmpty(options: SourceEmptyOptions): Promise<LedgerError> {
  const { source, network, nodes, startTime } = options
  const first = startTime === undefined ? undefined : await firstFileOf(options)
  if (first !== undefined && startTime !== undefined) return noneAfter(options, first, startTime)
  return new LedgerError(
    'source_empty',
    `${source} holds no record files of the network "${network}" for any of the ${nodes.length} nodes ` +
      `of its address book (looked in ${lookedIn(options)} and so on); check the folder, the network and the address book`,
    { source, network },
  )
}

function noneAfter({ source, network }: SourceEmptyOptions, first: string, startTime: bigint): LedgerError {
  const date = instantText(startTime).replaceAll('_', ':')
  return new LedgerError(
    'source_empty',
    `${source} holds record files of the network "${network}", the first one ${first}, but none after --start-date ` +
      `${date}; name an earlier one, or wait for later files`,
    { source, network, first, startTime },
  )
}

function lookedIn({ nodes, folders }: SourceEmptyOptions): string {
  const [example] = nodes
  return example ? [folders.accountFolder(example), ...folders.nodeIdFolders(example)].join(', ') : 'no folder'
}

/** The first file of the first node that has any, whatever the start date. */
async function firstFileOf({ nodes, folders, signal }: SourceEmptyOptions): Promise<string | undefined> {
  for (const node of nodes) {
    const { objects } = await folders.list(node, '', objectsMax, signal)
    const first = objects.find(({ name }) => parseStreamFileName(name) !== undefined)
    if (first) return first.name
  }
  return undefined
}
