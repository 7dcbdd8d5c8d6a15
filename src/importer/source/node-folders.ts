import { entityIdParts } from '#src/domain/entity-id.ts'
import type { StreamObject, StreamSource } from '#src/ports/stream-source.ts'

const pathTypes = ['ACCOUNT_ID', 'NODE_ID', 'AUTO'] as const
/** How a bucket names the folders of the nodes: by account, by network and node id, or first the one, then the other. */
export type PathType = (typeof pathTypes)[number]

export interface FolderNode {
  readonly nodeId: bigint
  readonly accountId: bigint
}

export interface NodeFoldersOptions {
  readonly source: StreamSource
  readonly network: string
  readonly pathType: PathType
  /** In front of every path; '' for none. */
  readonly pathPrefix: string
  /** AUTO: how long a node without files by account waits before its node id is tried again. */
  readonly refreshIntervalMs: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

export interface FolderFiles {
  /** Path of the folder that the files are in. */
  readonly folder: string
  readonly objects: readonly StreamObject[]
}

interface NodeState {
  /** The folder by node id that once held files: it is used for good. */
  settled: string | undefined
  triedAt: number
}

/** Finds the folder of each node's record files in either layout. */
export class NodeFolders {
  readonly #options: NodeFoldersOptions
  readonly #states = new Map<bigint, NodeState>()

  constructor(options: NodeFoldersOptions) {
    this.#options = options
  }

  /** Files of a node behind the marker, at most `countMax`. */
  async list(node: FolderNode, after: string, countMax: number, signal?: AbortSignal): Promise<FolderFiles> {
    const state = this.#stateOf(node)
    const read = async (folder: string) => ({
      folder,
      objects: await this.#options.source.list({ folder, after, countMax, signal }),
    })
    if (state.settled !== undefined) return read(state.settled)
    const { pathType, refreshIntervalMs, now } = this.#options
    if (pathType !== 'NODE_ID') {
      const byAccount = await read(this.accountFolder(node))
      const tryAgain = now() - state.triedAt >= refreshIntervalMs
      if (pathType === 'ACCOUNT_ID' || byAccount.objects.length > 0 || !tryAgain) return byAccount
    }
    state.triedAt = now()
    return this.#listByNodeId(node, state, read)
  }

  /** More files of a folder that was found. */
  listIn(folder: string, after: string, countMax: number, signal?: AbortSignal): Promise<readonly StreamObject[]> {
    return this.#options.source.list({ folder, after, countMax, signal })
  }

  async #listByNodeId(
    node: FolderNode,
    state: NodeState,
    read: (folder: string) => Promise<FolderFiles>,
  ): Promise<FolderFiles> {
    const folders = this.nodeIdFolders(node)
    for (const folder of folders) {
      const found = await read(folder)
      if (found.objects.length === 0) continue
      state.settled = folder
      return found
    }
    return { folder: folders[0] as string, objects: [] }
  }

  accountFolder({ accountId }: FolderNode): string {
    const { shard, realm, number } = entityIdParts(accountId)
    return this.#prefixed(`recordstreams/record${shard}.${realm}.${number}`)
  }

  /**
   * Below the folder of the network, or the source is that folder itself. The name of a network that was reset may have
   * a suffix (`testnet-202402`); buckets have been laid out with and without it.
   */
  nodeIdFolders({ nodeId, accountId }: FolderNode): string[] {
    const { network } = this.#options
    const folder = `${entityIdParts(accountId).shard}/${nodeId}/record`
    const [plain = network] = network.split('-')
    return [...new Set([`${network}/${folder}`, `${plain}/${folder}`, folder])].map((path) => this.#prefixed(path))
  }

  #prefixed(path: string): string {
    const { pathPrefix } = this.#options
    return pathPrefix === '' ? path : `${pathPrefix.replace(/^\/+|\/+$/g, '')}/${path}`
  }

  #stateOf({ nodeId }: FolderNode): NodeState {
    const known = this.#states.get(nodeId)
    if (known) return known
    const state: NodeState = { settled: undefined, triedAt: Number.NEGATIVE_INFINITY }
    this.#states.set(nodeId, state)
    return state
  }
}
