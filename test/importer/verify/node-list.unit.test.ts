import { describe, expect, it } from 'vitest'
import { nodeList } from '#src/importer/verify/node-list.ts'

describe('a list of nodes', () => {
  it.each<[bigint[], string]>([
    [[0n], 'node 0'],
    [[3n, 3n], 'node 3'],
    [[1n, 0n], 'nodes 0, 1'],
    [[0n, 1n, 2n, 3n], 'nodes 0-3'],
    [[10n, 2n, 0n, 3n, 4n, 11n], 'nodes 0, 2-4, 10, 11'],
  ])('of %s is said as %s', (nodeIds, text) => {
    expect(nodeList(nodeIds)).toBe(text)
  })
})
