import { LedgerError } from '#src/domain/errors.ts'
import type { FolderNode, NodeFolders } from '#src/importer/source/node-folders.ts'

/** Nothing was found; says where it was looked for. */
export function sourceEmpty(
  source: string,
  network: string,
  nodes: readonly FolderNode[],
  folders: NodeFolders,
): LedgerError {
  const example = nodes[0]
  const looked = example ? [folders.accountFolder(example), ...folders.nodeIdFolders(example)].join(', ') : 'no folder'
  return new LedgerError(
    'source_empty',
    `${source} holds no record files of the network "${network}" for any of the ${nodes.length} nodes ` +
      `of its address book (looked in ${looked} and so on); check the folder, the network and the address book`,
    { source, network },
  )
}
