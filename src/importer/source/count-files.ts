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
  let after = start
  for (let page = 0; page < pagesMax; page++) {
    const { objects } = await folders.list(node, after, objectsMax, signal)
    const names = objects.map(({ name }) => name).filter((name) => /\.rcd_sig(?:\.gz)?$/.test(name))
    count += names.length
    const last = objects.at(-1)
    if (!last || objects.length < objectsMax) return count
    after = last.name
  }
  return undefined
}
