import { knownNodes, openBlockNodeClient } from '#src/cli/importing/block-input.ts'
import type { LogFacts } from '#src/cli/importing/log-facts.ts'
import type { Config } from '#src/config/schema.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { type KnownBlockNode, mergeNodes } from '#src/importer/block-nodes/known-block-node.ts'
import type { BlockNodePresence } from '#src/operations/import-presence.ts'
import type { BlockNode, BlockRange, OpenBlockNode } from '#src/ports/block-node.ts'

/** Asked at a time. */
const atOnceMax = 8

/** What a block node answered when it was asked just now. */
export interface NodeAnswer {
  readonly node: KnownBlockNode
  readonly name: string
  /** Blocks that it has, ascending; null where it did not say. */
  readonly ranges: readonly BlockRange[] | null
  /** How long it takes on a connection that is there; null where it did not answer. */
  readonly answerMs: number | null
  /** `reason` is that of the port's errors. */
  readonly error: { readonly reason: string; readonly message: string } | null
}

export interface AskOptions {
  readonly config: Config
  readonly facts: LogFacts | undefined
  readonly signal?: AbortSignal
}

/** Opens nodes for who asks them once: the first answer takes a connection, which an importer has. */
export function openNodesToAsk({ blocks }: Pick<Config, 'blocks'>): Promise<OpenBlockNode> {
  return openBlockNodeClient({ blocks }, blocks.connectTimeoutMs + blocks.statusTimeoutMs)
}

/** Nodes that an importer with these settings would know, as of the end of the log, the better priority first. */
export function nodesToAsk({ config, facts }: AskOptions): KnownBlockNode[] {
  const nodes = [...mergeNodes(knownNodes(config, facts?.state.blockNodes.all ?? [])).values()]
  return nodes.sort((a, b) => a.priority - b.priority)
}

/** Asks nodes what they have, a few at a time; each answers within its bounds of time, or with an error. */
export async function askNodes(nodes: readonly KnownBlockNode[], options: AskOptions): Promise<NodeAnswer[]> {
  const open = await openNodesToAsk(options.config)
  const waiting = [...nodes.entries()]
  const answers: NodeAnswer[] = []
  const askNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, node] = next
      answers[at] = await withNode(open, node, (client) => askOne(node, client, options.signal))
    }
  }
  await Promise.all(Array.from({ length: atOnceMax }, askNext))
  return answers
}

export async function withNode<T>(
  open: OpenBlockNode,
  { endpoints }: KnownBlockNode,
  use: (client: BlockNode) => Promise<T>,
): Promise<T> {
  const client = open(endpoints)
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}

async function askOne(node: KnownBlockNode, client: BlockNode, signal: AbortSignal | undefined): Promise<NodeAnswer> {
  const { name } = client
  try {
    await client.status(signal)
    const began = performance.now()
    const ranges = await client.status(signal)
    return { node, name, ranges, answerMs: Math.round(performance.now() - began), error: null }
  } catch (error) {
    if (!isLedgerError(error, 'source_unavailable')) throw error
    const { message, details } = error
    return { node, name, ranges: null, answerMs: null, error: { reason: String(details['reason']), message } }
  }
}

/** What a running importer says of a node, and which process that is. */
export interface SeenBy extends BlockNodePresence {
  readonly process: string
}

export function seenBy({ name, node }: NodeAnswer, facts: LogFacts | undefined): SeenBy[] {
  const { tls } = node.endpoints.stream
  return (facts?.importers ?? []).flatMap(({ host, pid, imports }) =>
    (imports?.blockNodes ?? [])
      .filter((one) => one.name === name && one.tls === tls)
      .map((one) => ({ process: `${host}:${pid}`, ...one })),
  )
}
