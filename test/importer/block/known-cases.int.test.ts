import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasSamples, sample } from '#test/importer/samples.ts'

const root = join(import.meta.dirname, '../../..')

/** By what is known of blocks: the file of tests that holds the project against it, by name. */
const numbers: Readonly<Record<string, string>> = {
  blockFiles: 'test/importer/block/recorded-facts.int.test.ts',
  hashVectors: 'test/domain/block-hash.int.test.ts',
  tss: 'test/tss/schnorr.int.test.ts',
  stateProofs: 'test/tss/state-proof.int.test.ts',
  wrappedRecordBlockProofSample: 'test/importer/block/wrapped/recorded-proof.int.test.ts',
}

/** What is known in words: the sentences of tests that say the same, by their file. */
const refused: Readonly<Record<string, readonly [file: string, test: string]>> = {
  'missing header, footer or proof -> rejected': [
    'test/importer/block/read-block.unit.test.ts',
    'without header, footer or proof, or with two headers or footers',
  ],
  'hash algorithm other than SHA2_384 -> rejected': [
    'test/importer/block/read-block.unit.test.ts',
    'with hashes of another algorithm',
  ],
  'undecodable signed transaction or body -> rejected': [
    'test/importer/block/records/transactions.unit.test.ts',
    'are refused where a result has no time, or the transaction is none',
  ],
  'block number differs from the number in the file name -> rejected': [
    'test/importer/block-stream/block-chain.unit.test.ts',
    'is the one that was asked for',
  ],
  'number not previous + 1 -> rejected': [
    'test/importer/block-stream/block-chain.unit.test.ts',
    'is the one that was asked for',
  ],
  'previous hash differs -> rejected': [
    'test/importer/block-stream/block-chain.unit.test.ts',
    'names the hash of the last one',
  ],
  'wrapped record block without signatures -> rejected': [
    'test/importer/block/wrapped/wrapped-block.unit.test.ts',
    'count once for each node, and not where they are of something else or of strangers',
  ],
  'second BlockFooter/BlockProof after the first proof: further proofs are skipped': [
    'test/importer/block/read-block.unit.test.ts',
    'is proved by the first proof, whatever comes behind it',
  ],
}

const hostileNodes = 'test/adapters/block-node/hostile-nodes.int.test.ts'
const messages = 'test/adapters/block-node/messages.unit.test.ts'
const blockNodes = 'test/importer/block-nodes/block-nodes.unit.test.ts'
const blockSources = 'test/importer/block-sources/turns.unit.test.ts'
const odd = [messages, 'lets pass what is odd, and says so'] as const

const ofNodes: Readonly<Record<string, readonly [file: string, test: string]>> = {
  status: [blockNodes, 'passes over a node for this time that does not tell its status'],
  stream: [messages, 'is made of the pieces as they came, with the times of the first and the last'],
  'header while a block is pending -> error': [hostileNodes, 'begins again'],
  'first item not a header -> error': [hostileNodes, 'begins without a header'],
  'status other than SUCCESS -> error': [hostileNodes, 'refuses'],
  'more items than the limit in one block -> error': [
    messages,
    'has a limit for its bytes and for its items, also over several sets',
  ],
  'no message within the timeout -> error': [hostileNodes, 'says nothing'],
  'end_of_block with nothing pending -> logged': odd,
  'end_of_block number differs from header -> logged': odd,
  'empty item set -> logged': odd,
  'status SUCCESS -> stream ends normally': [
    'test/adapters/block-node/block-node.int.test.ts',
    'streams blocks to the last one wanted, byte for byte',
  ],
  inactive: [blockNodes, 'is set aside after three times in a row, and readmitted after a while'],
  sourceAuto: [blockSources, 'are block nodes first where any is known, and the bucket after failures in a row'],
}

/** Of record files, balances and address books, which other tests look at. */
const ofOtherStreams = new Set([
  ...['about', 'digestAlgorithm', 'signatureType', 'recordFiles', 'hip679Signatures', 'hashChains', 'sidecarFiles'],
  ...['signatureSamples', 'balanceFiles', 'addressBooks', 'consensusCases', 'stakeWeightCases', 'addressBookCases'],
  'downloaderCases',
])

interface Cases {
  readonly invalidInputCases: { readonly block: readonly string[] }
  readonly blockNodeCases: Readonly<Record<string, string | readonly string[]>>
}

describe.skipIf(!hasSamples)('what is known of blocks', () => {
  const facts = (hasSamples ? JSON.parse(sample('facts.json').toString('utf8')) : {}) as Cases
  const source = (file: string) => readFileSync(join(root, file), 'utf8')

  it('in numbers is looked at by a test each', () => {
    const known = Object.keys(facts).filter((name) => !ofOtherStreams.has(name))
    expect(known.sort()).toEqual([...Object.keys(numbers), 'invalidInputCases', 'blockNodeCases'].sort())
    for (const [name, file] of Object.entries(numbers)) expect(source(file), file).toContain(name)
  })

  it('in words is said by a test each', () => {
    const inNodes = Object.entries(facts.blockNodeCases).flatMap(([name, said]) =>
      typeof said === 'string' ? [name] : said,
    )
    expect(Object.keys(refused).sort()).toEqual([...facts.invalidInputCases.block].sort())
    expect(Object.keys(ofNodes).sort()).toEqual(inNodes.sort())
    for (const [file, test] of [...Object.values(refused), ...Object.values(ofNodes)]) {
      expect(existsSync(join(root, file)), file).toBe(true)
      expect(source(file), file).toContain(`'${test}'`)
    }
  })
})
