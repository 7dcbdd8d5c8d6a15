import { parseStreamFileName } from '#src/importer/record/file-name.ts'
import type { FolderNode, NodeFolders } from '#src/importer/source/node-folders.ts'

const objectsMax = 1_000
const pagesMax = 100

/** How many record files the first node that has any offers; undefined when there are too many to count them all. */
export async function countFiles(
  folders: NodeFolders,
  nodes: readonly FolderNode[],
  after: string,
  signal?: AbortSignal,
): Promise<number | undefined> {
  for (const node of nodes) {
    const count = await countOf(folders, node, after, signal)
    if (count !== 0) return count
  }
  return 0
}

async function countOf(
  folders: NodeFolders,
  node: FolderNode,
  start: string,
  signal?: AbortSignal,
): Promise<number | undefined> {
  let count = 0
  const first = await folders.list(node, start, objectsMax, signal)
  let { objects } = first
  for (let page = 0; page < pagesMax; page++) {
    count += objects.filter(({ name }) => parseStreamFileName(name)?.kind === 'signature').length
    const last = objects.at(-1)
    if (!last || objects.length < objectsMax) return count
    objects = await folders.listIn(first.folder, last.name, objectsMax, signal)
  }
  return undefined
}
