import { describe, expect, it } from 'vitest'
import { type ReadSources, streamPresence } from '#src/cli/importing/stream-presence.ts'
import type { BlockNodeState } from '#src/importer/block-nodes/followed-node.ts'
import type { StreamChoice } from '#src/importer/cutover/cutover.ts'

const since = Date.parse('2026-11-25T14:00:00.000Z')

function nodeState(name: string, parts: Partial<BlockNodeState> = {}): BlockNodeState {
  return {
    name,
    origin: 'configured',
    priority: 0,
    registeredNodeId: undefined,
    tls: false,
    setAsideUntil: undefined,
    streaming: false,
    latencyMs: undefined,
    lastBlock: undefined,
    errors: {},
    oddities: {},
    lastError: undefined,
    ...parts,
  }
}

function sourcesOf(states: readonly BlockNodeState[], current?: 'nodes' | 'bucket'): ReadSources {
  const supply = { description: 'block node a:1 and s3://blocks' } as NonNullable<ReadSources['blocks']>['supply']
  return {
    setting: 'cutover',
    source: { description: 's3://records' },
    blocks: { supply, current, bucket: 's3://blocks', states: () => states },
  }
}

const chosen = (stream: StreamChoice['stream']): StreamChoice => ({ stream, since, why: 'as set', waitsFor: undefined })
const told = (sources: ReadSources, stream: StreamChoice['stream'], quietSince?: number) =>
  streamPresence(sources, { stream: chosen(stream), quietSince })

describe('what an importer says of its sources', () => {
  it('names the folder or bucket of record files', () => {
    expect(told(sourcesOf([]), 'records')).toEqual({
      stream: {
        setting: 'cutover',
        stream: 'records',
        source: 'files',
        from: 's3://records',
        since: '2026-11-25T14:00:00.000Z',
        why: 'as set',
      },
    })
  })

  it('names the block node that streams, the bucket that was asked, or all before any was', () => {
    const states = [nodeState('a:1'), nodeState('b:2', { streaming: true })]
    const place = (sources: ReadSources) => {
      const { source, from } = told(sources, 'blocks').stream!
      return [source, from]
    }
    expect(place(sourcesOf(states, 'nodes'))).toEqual(['nodes', 'block node b:2'])
    expect(place(sourcesOf(states, 'bucket'))).toEqual(['bucket', 's3://blocks'])
    expect(place(sourcesOf([nodeState('a:1')]))).toEqual(['nodes', 'block node a:1 and s3://blocks'])
    expect(place(sourcesOf([]))).toEqual(['bucket', 'block node a:1 and s3://blocks'])
  })

  it('tells since when nothing new came, and of the nodes what there is to tell', () => {
    const state = nodeState('b:2', {
      origin: 'discovered',
      registeredNodeId: 3n,
      setAsideUntil: since,
      latencyMs: 12.6,
      lastBlock: 5n,
      errors: { timeout: 1 },
      lastError: { message: 'late', at: since },
    })
    const { stream, blockNodes } = told(sourcesOf([state]), 'blocks', since)
    expect(stream?.quietSince).toBe('2026-11-25T14:00:00.000Z')
    expect(blockNodes).toEqual([
      {
        name: 'b:2',
        origin: 'discovered',
        registeredNodeId: '3',
        priority: 0,
        tls: false,
        streaming: false,
        setAsideUntil: '2026-11-25T14:00:00.000Z',
        latencyMs: 13,
        lastBlock: '5',
        errors: { timeout: 1 },
        oddities: {},
        lastError: { message: 'late', at: '2026-11-25T14:00:00.000Z' },
      },
    ])
  })

  it('tells of few nodes, however many there are', () => {
    const states = Array.from({ length: 200 }, (_, at) => nodeState(`node${at}:1`))
    expect(told(sourcesOf(states), 'blocks').blockNodes).toHaveLength(50)
  })
})
