import { describe, expect, it } from 'vitest'
import {
  type ConsensusRatio,
  defaultConsensusRatio,
  findConsensus,
  requiredStake,
} from '#src/importer/verify/consensus.ts'
import { type StakeMode, weightsOf } from '#src/importer/verify/stakes.ts'

interface Case {
  readonly stakes: readonly bigint[]
  /** Hash that each node signed; undefined: no verified signature. */
  readonly hashes: readonly (string | undefined)[]
  readonly ratio?: ConsensusRatio
}

function agreed({ stakes, hashes, ratio = defaultConsensusRatio }: Case): number[] {
  const nodeIds = stakes.map((_, index) => BigInt(index))
  const weights = weightsOf(
    'STAKE_IN_ADDRESS_BOOK',
    nodeIds,
    new Map(stakes.map((stake, index) => [BigInt(index), stake])),
  )
  const votes = hashes.flatMap((fileHash, index) =>
    fileHash === undefined ? [] : [{ nodeId: BigInt(index), fileHash, stake: weights.of(BigInt(index)) }],
  )
  return findConsensus(votes, weights.total, ratio).agreed.map(({ nodeIds }) => nodeIds.length)
}

const third = (50n * 10n ** 17n + 2n) / 3n
const whole = { numerator: 1n, denominator: 1n }
const none = { numerator: 0n, denominator: 1n }

describe('consensus', () => {
  it.each<[string, Case, number[]]>([
    ['one of three', { stakes: [1n, 1n, 1n], hashes: ['a'] }, [1]],
    ['one of four', { stakes: [1n, 1n, 1n, 1n], hashes: ['a'] }, []],
    ['two of four', { stakes: [1n, 1n, 1n, 1n], hashes: ['a', 'a'] }, [2]],
    ['all without any stake', { stakes: [0n, 0n, 0n], hashes: ['a', 'a', 'a'] }, [3]],
    ['just below a third of all hbars', { stakes: [third - 1n, third + 1n, third - 1n], hashes: ['a'] }, []],
    ['the two of five that agree', { stakes: [1n, 1n, 1n, 1n, 1n], hashes: ['a', 'a', 'b', 'c', 'd'] }, [2]],
    ['all where all must', { stakes: [1n, 1n, 1n], hashes: ['a', 'a', 'a'], ratio: whole }, [3]],
    ['one where all must', { stakes: [1n, 1n, 1n, 1n], hashes: ['a'], ratio: whole }, []],
    ['any one where the share is 0', { stakes: [1n, 7n], hashes: ['a'], ratio: none }, [1]],
    ['nobody', { stakes: [1n, 1n, 1n], hashes: [] }, []],
    ['nobody where the share is 0', { stakes: [1n, 1n, 1n], hashes: [], ratio: none }, []],
  ])('of %s', (_, given, expected) => {
    expect(agreed(given)).toEqual(expected)
  })

  it('counts a node once, however many signatures it has', () => {
    const votes = ['a', 'a', 'b'].map((fileHash) => ({ nodeId: 7n, fileHash, stake: 1n }))
    const { agreed, have } = findConsensus(votes, 4n, defaultConsensusRatio)
    expect([agreed, have]).toEqual([[], 1n])
  })

  it('needs exactly one third, rounded up', () => {
    expect([3n, 4n, 6n, 7n, 3n * 10n ** 18n].map((total) => requiredStake(total, defaultConsensusRatio))).toEqual([
      1n,
      2n,
      2n,
      3n,
      10n ** 18n,
    ])
  })
})

describe('weights of four nodes in the address book', () => {
  it.each<[StakeMode, number, bigint, bigint, bigint]>([
    ['EQUAL', 4, 10_000n, 1n, 4n],
    ['EQUAL', 4, 0n, 1n, 4n],
    ['STAKE', 4, 10_000n, 10_000n, 40_000n],
    ['STAKE', 4, 0n, 1n, 4n],
    ['STAKE_IN_ADDRESS_BOOK', 4, 10_000n, 10_000n, 40_000n],
    ['STAKE_IN_ADDRESS_BOOK', 4, 0n, 1n, 4n],
    ['EQUAL', 6, 10_000n, 1n, 6n],
    ['STAKE', 6, 10_000n, 10_000n, 60_000n],
    ['STAKE_IN_ADDRESS_BOOK', 6, 10_000n, 10_000n, 40_000n],
    ['EQUAL', 0, 0n, 1n, 4n],
    ['STAKE', 0, 0n, 1n, 4n],
    ['STAKE_IN_ADDRESS_BOOK', 0, 0n, 1n, 4n],
  ])('%s with %i rows of stake %i: node %i, total %i', (mode, rows, stake, node, total) => {
    const stakes = new Map(Array.from({ length: rows }, (_, index) => [BigInt(index), stake] as const))
    const weights = weightsOf(mode, [0n, 1n, 2n, 3n], stakes)
    expect([weights.of(2n), weights.total]).toEqual([node, total])
  })
})
