import type { OpenBlockInput } from '#src/cli/importing/block-input.ts'
import type { BlockNodeState } from '#src/importer/block-nodes/followed-node.ts'
import type { ImporterSettings, ImportProgress } from '#src/importer/settings.ts'
import {
  type BlockNodePresence,
  blockNodesToldMax,
  type ImportPresence,
  type StreamPresence,
} from '#src/operations/import-presence.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'

/** For people. */
export const streamTexts = { records: 'record files', blocks: 'block streams' } as const

/** What an importer reads. */
export interface ReadSources {
  readonly setting: ImporterSettings['stream']
  /** Of record files. */
  readonly source: Pick<StreamSource, 'description'>
  readonly blocks: Pick<OpenBlockInput, 'supply' | 'current' | 'bucket' | 'states'> | undefined
}

/** Which stream is read, from where and why, with the block nodes as they are now. */
export function streamPresence(
  sources: ReadSources,
  progress: Pick<ImportProgress, 'stream' | 'quietSince'>,
): Pick<ImportPresence, 'stream' | 'blockNodes'> {
  const states = sources.blocks?.states() ?? []
  const stream = chosenStream(sources, progress)
  return {
    ...(stream === undefined ? {} : { stream }),
    ...(states.length === 0 ? {} : { blockNodes: states.slice(0, blockNodesToldMax).map(nodePresence) }),
  }
}

function chosenStream(
  sources: ReadSources,
  { stream: choice, quietSince }: Pick<ImportProgress, 'stream' | 'quietSince'>,
): StreamPresence | undefined {
  if (choice === undefined) return undefined
  const { stream, since, why, waitsFor } = choice
  return {
    setting: sources.setting,
    stream,
    ...(stream === 'blocks' ? blockPlace(sources) : { source: 'files', from: sources.source.description }),
    since: instant(since),
    why,
    ...(waitsFor === undefined ? {} : { waitsFor }),
    ...(quietSince === undefined ? {} : { quietSince: instant(quietSince) }),
  }
}

/** The node that streams now, where one does; all places that there are before the first was asked. */
function blockPlace({ blocks }: ReadSources): Pick<StreamPresence, 'source' | 'from'> {
  const states = blocks?.states() ?? []
  const all = blocks?.supply.description ?? 'nowhere'
  if (blocks?.current === 'bucket') return { source: 'bucket', from: blocks.bucket ?? all }
  const streaming = states.find((node) => node.streaming)
  if (streaming) return { source: 'nodes', from: `block node ${streaming.name}` }
  return { source: states.length > 0 ? 'nodes' : 'bucket', from: all }
}

function nodePresence(node: BlockNodeState): BlockNodePresence {
  const { name, origin, registeredNodeId, priority, tls, streaming, errors, oddities } = node
  const { setAsideUntil, latencyMs, lastBlock, lastError } = node
  return {
    name,
    origin,
    ...(registeredNodeId === undefined ? {} : { registeredNodeId: registeredNodeId.toString() }),
    priority,
    tls,
    streaming,
    ...(setAsideUntil === undefined ? {} : { setAsideUntil: instant(setAsideUntil) }),
    ...(latencyMs === undefined ? {} : { latencyMs: Math.round(latencyMs) }),
    ...(lastBlock === undefined ? {} : { lastBlock: lastBlock.toString() }),
    errors: errors as Record<string, number>,
    oddities: oddities as Record<string, number>,
    ...(lastError === undefined ? {} : { lastError: { message: lastError.message, at: instant(lastError.at) } }),
  }
}

function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
