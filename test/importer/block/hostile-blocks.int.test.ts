import { beforeAll, describe, expect, it } from 'vitest'
import { blockHash } from '#src/domain/block-hash.ts'
import { blockItem, blockTree } from '#src/domain/block-items.ts'
import type { LedgerError } from '#src/domain/errors.ts'
import { leafHash, MerkleTree } from '#src/domain/merkle-tree.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { readBlock } from '#src/importer/block/read-block.ts'
import { readSignedBody } from '#src/importer/block/records/signed-body.ts'
import type { ProofChecker } from '#src/importer/block-stream/prove-block.ts'
import type { ImporterSettings } from '#src/importer/settings.ts'
import { linkOf, stateProof } from '#src/simulator/blocks/state-proof.ts'
import { encode } from '#src/simulator/codec.ts'
import { type Item, item, readFields, readItems, writeBlock, writeFields } from '#test/drill/blocks/block-items.ts'
import { type Chain, simulatedChains } from '#test/drill/blocks/chains.ts'
import { Dice } from '#test/drill/blocks/damage.ts'
import { DamagedImport, type Fact } from '#test/drill/blocks/damaged-import.ts'
import { treeOf } from '#test/drill/blocks/moved-items.ts'
import { inlineChecker } from '#test/importer/block/folder-blocks.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'

// Whoever serves blocks can change every byte of them, and sign nothing. Each attack here leaves the hash of its block as it is, or needs no
// hash: what it tries to change is something that is published.

const blocksOfChain = 10
let signed: Chain
let eight: Chain
let wrapped: Chain
let checker: ProofChecker

beforeAll(async () => {
  const chains = await simulatedChains(blocksOfChain, 'b')
  ;[signed, , eight, , wrapped] = chains as [Chain, Chain, Chain, Chain, Chain]
  checker = await inlineChecker()
}, 120_000)

interface Attacked {
  /** What the import ended with. */
  readonly error: LedgerError | undefined
  readonly facts: readonly Fact[]
  /** Of the block as it is. */
  readonly expected: readonly Fact[]
}

/** Gives a block of a chain as somebody has changed it, behind those before it; then as it is. */
async function attack(
  chain: Chain,
  number: number,
  damaged: Buffer,
  settings: Partial<ImporterSettings> = {},
): Promise<Attacked> {
  const outcomes: { error: LedgerError | undefined; facts: readonly Fact[] }[] = []
  for (const block of [damaged, chain.blocks[number]!]) {
    const importing = await DamagedImport.begin(chain, checker, settings)
    for (const before of chain.blocks.slice(0, number)) {
      expect(await importing.give(before, new Dice(() => 0))).toBeUndefined()
      importing.next += 1n
    }
    const head = await importing.head()
    const error = await importing.give(block, new Dice(() => 0))
    outcomes.push({ error, facts: await importing.factsAfter(head) })
    await importing.close()
  }
  const [attacked, clean] = outcomes as [Attacked, Attacked]
  expect(clean.error).toBeUndefined()
  return { ...attacked, expected: clean.facts }
}

async function expectRefused(attacking: Promise<Attacked>, code: string, text: RegExp): Promise<void> {
  const { error, facts } = await attacking
  expect(error?.message).toMatch(text)
  expect(error?.code).toBe(code)
  expect(facts).toEqual([])
}

/** The hash that was signed is still that of the block. */
function expectSameHash(chain: Chain, number: number, damaged: Buffer): void {
  const hashOf = (bytes: Buffer) => {
    const source = { number: 0n, name: 'a block', size: undefined, origin: 'here', headerAt: 0, completeAt: 0 }
    return readBlock({ ...source, pieces: [bytes] }, new Set(['redactions'])).hashes[
      chain === eight ? 'eight' : 'sixteen'
    ]
  }
  expect(hashOf(damaged)).toEqual(hashOf(chain.blocks[number]!))
}

/** The first block, and items in it, that a search finds. */
function find<T>(chain: Chain, search: (items: Item[]) => T | undefined): { number: number; items: Item[]; found: T } {
  for (const [number, block] of chain.blocks.entries()) {
    const items = readItems(block)
    const found = search(items)
    if (found !== undefined) return { number, items, found }
  }
  throw new Error(`no block of the chain ${chain.name} has what is looked for`)
}

const isTrace = (one: Item | undefined, kind: number): boolean =>
  one?.number === blockItem.traceData && readFields(one.content)[0]?.number === kind
const [evmTrace, messageTrace] = [1, 2]
const isResult = (one: Item | undefined): boolean => one?.number === blockItem.transactionResult
const typeOf = (one: Item | undefined): number | undefined =>
  one?.number === blockItem.signedTransaction
    ? readSignedBody(one.content, (reason) => {
        throw new Error(reason)
      }).type
    : undefined

const hasTraceBetween = (items: readonly Item[], from: number, to: number): boolean =>
  items.slice(from + 1, to).some(({ number }) => number === blockItem.traceData)

/** The item at one place put behind the one at another. */
function movedBehind(items: readonly Item[], from: number, to: number): Item[] {
  return items.flatMap((one, at) => (at === from ? [] : at === to ? [one, items[from]!] : [one]))
}

describe('the place of an item among those of other trees', () => {
  it('does not give the trace of code to another transaction', async () => {
    const { number, items, found } = find(signed, (all) => {
      const from = all.findIndex((one) => isTrace(one, evmTrace))
      const next = all.findIndex((one, at) => at > from && one.number === blockItem.traceData)
      const outputs = all.flatMap((one, at) => (isRun(one) && at > from && (next < 0 || at < next) ? [at] : []))
      return from > 0 && outputs[0] !== undefined ? { from, to: outputs[0] } : undefined
    })
    const moved = writeBlock(movedBehind(items, found.from, found.to))
    expectSameHash(signed, number, moved)
    await expectRefused(attack(signed, number, moved), 'file_malformed', /that of the one at|traces of another one/)
  })

  it('does not leave the logs of a transaction out by giving them to one that ran no code', async () => {
    const { number, items, found } = find(signed, (all) => {
      const from = all.findIndex((one) => isTrace(one, evmTrace))
      const to = all.findIndex((one, at) => at > from && isResult(one) && !isRun(all[at + 1]))
      return from > 0 && to > 0 && !hasTraceBetween(all, from, to) ? { from, to } : undefined
    })
    const moved = writeBlock(movedBehind(items, found.from, found.to))
    expectSameHash(signed, number, moved)
    await expectRefused(attack(signed, number, moved), 'file_malformed', /traces of another one/)
  })

  it('does not give number and running hash of a message to the next one', async () => {
    const { number, items, found } = find(signed, (all) => {
      const from = all.findIndex((one) => isTrace(one, messageTrace))
      const to = all.findIndex((one, at) => at > from && isResult(one))
      return from > 0 && to > 0 && !hasTraceBetween(all, from, to) ? { from, to } : undefined
    })
    const moved = writeBlock(movedBehind(items, found.from, found.to))
    expectSameHash(signed, number, moved)
    await expectRefused(attack(signed, number, moved), 'file_malformed', /number behind that|traces of another one/)
  })

  it('does not give the result of a transaction in a batch to one outside of it', async () => {
    const { number, items, found } = find(signed, (all) => {
      const batch = all.findIndex((one) => typeOf(one) === transactionType.atomicBatch)
      const inner = all.findIndex((one, at) => at > batch + 1 && isResult(one))
      const next = all.findIndex((one, at) => at > inner && one.number === blockItem.signedTransaction)
      return batch > 0 && !all.slice(batch + 1, inner).some((one) => typeOf(one) !== undefined) && next > 0
        ? { next, inner }
        : undefined
    })
    const moved = writeBlock(movedBehind(items, found.next, found.inner - 1))
    expectSameHash(signed, number, moved)
    await expectRefused(attack(signed, number, moved), 'file_malformed', /a result of a batch|has no result/)
  })

  it('does not give the result of a transaction to what a node told others', async () => {
    const { number, items, found } = find(signed, (all) => {
      const at = all.findIndex((one) => typeOf(one) === transactionType.stateSignature)
      const result = all.findIndex((one, index) => index > at && isResult(one))
      return at > 0 && result > 0 ? { at, result } : undefined
    })
    const moved = writeBlock(movedBehind(items, found.result, found.at))
    expectSameHash(signed, number, moved)
    await expectRefused(attack(signed, number, moved), 'file_malformed', /only told others/)
  })
})

function isRun(one: Item | undefined): boolean {
  const field = one?.number === blockItem.transactionOutput ? readFields(one.content)[0]?.number : undefined
  return field !== undefined && [2, 3, 4].includes(field)
}

describe('a hidden item', () => {
  const redacted = (hash: Buffer, tree: number, told = Buffer.alloc(48, 7)) =>
    item(blockItem.redactedItem, Buffer.concat([bytesField(1, hash), bytesField(2, told), varintField(3, tree)]))

  it('does not take the place of a transaction', async () => {
    const items = readItems(signed.blocks[2]!)
    const at = items.findIndex((one, index) => typeOf(one) !== undefined && isResult(items[index + 1]))
    const hidden = writeBlock(items.with(at, redacted(leafHash(items[at]!.bytes), blockTree.input)))
    expectSameHash(signed, 2, hidden)
    await expectRefused(attack(signed, 2, hidden), 'proof_invalid', /--accept-unproved redactions/)
    const accepted = await attack(signed, 2, hidden, { acceptUnproved: new Set(['redactions']) })
    expect(accepted.error).toBeUndefined()
    expect(accepted.facts).toHaveLength(accepted.expected.length)
  })

  it('does not take the place of a whole tree', async () => {
    const items = readItems(signed.blocks[2]!)
    const tree = new MerkleTree()
    for (const one of items) if (treeOf(one) === blockTree.stateChanges) tree.add(one.bytes)
    const rest = items.filter((one) => treeOf(one) !== blockTree.stateChanges)
    const hidden = writeBlock(rest.toSpliced(1, 0, redacted(tree.root(), blockTree.stateChanges)))
    expectSameHash(signed, 2, hidden)
    await expectRefused(attack(signed, 2, hidden), 'proof_invalid', /it says that an item of it was redacted/)
  })

  it('does not leave out rounds as filtered', async () => {
    const items = readItems(signed.blocks[2]!)
    const at = items.findIndex(({ number }) => number === blockItem.roundHeader)
    const content = Buffer.concat([
      bytesField(1, leafHash(items[at]!.bytes)),
      varintField(2, blockTree.consensusHeaders),
    ])
    const filtered = writeBlock(items.with(at, item(blockItem.filteredSingleItem, content)))
    await expectRefused(attack(signed, 2, filtered), 'file_malformed', /filtered out/)
  })

  it('is of no use in trees that blocks of eight leaves do not have', async () => {
    const items = readItems(eight.blocks[2]!)
    const more = [
      redacted(Buffer.alloc(48, 1), 12),
      item(28, Buffer.from('of the ninth leaf')),
      item(20, Buffer.from('of none')),
    ]
    const padded = items.toSpliced(3, 0, ...more.slice(1))
    expectSameHash(eight, 2, writeBlock(items.toSpliced(3, 0, more[2]!)))
    const { error, facts, expected } = await attack(eight, 2, writeBlock(padded))
    expect(error).toBeUndefined()
    expect(facts).toEqual(expected)
    await expectRefused(attack(eight, 2, writeBlock(items.toSpliced(3, 0, more[0]!))), 'proof_invalid', /redacted/)
  })
})

describe('what stands beside a signed record file', () => {
  const withFields = (block: Buffer, more: readonly Buffer[], without: number[] = []) => {
    const items = readItems(block)
    const at = items.findIndex(({ number }) => number === blockItem.recordFile)
    const kept = readFields(items[at]!.content).filter(({ number }) => !without.includes(number))
    return writeBlock(items.with(at, item(blockItem.recordFile, Buffer.concat([writeFields(kept), ...more]))))
  }
  const fileItems = (block: Buffer) => {
    const file = readItems(block).find(({ number }) => number === blockItem.recordFile)!
    const contents = readFields(file.content).find(({ number }) => number === 2)!.value
    return readFields(contents).filter(({ number }) => number === 3)
  }

  it('is no transaction that nobody has signed', async () => {
    const [foreign] = fileItems(wrapped.blocks[5]!)
    const amended = withFields(wrapped.blocks[2]!, [bytesField(4, foreign!.value)])
    await expectRefused(attack(wrapped, 2, amended), 'proof_invalid', /block 2 of .*--accept-unproved amendments/)
    const accepted = await attack(wrapped, 2, amended, { acceptUnproved: new Set(['amendments']) })
    expect(accepted.facts.length).toBe(accepted.expected.length + 1)
  })

  it('is no state that nobody has signed', async () => {
    const value = Buffer.concat([bytesField(1, varintField(3, 2)), varintField(5, 5_000_000_000n)])
    const update = bytesField(5, bytesField(1, bytesField(2, varintField(3, 2))), bytesField(2, bytesField(4, value)))
    const change = item(blockItem.stateChanges, bytesField(2, varintField(1, 2), update))
    const stated = writeBlock(readItems(wrapped.blocks[0]!).toSpliced(1, 0, change))
    await expectRefused(attack(wrapped, 0, stated), 'proof_invalid', /--accept-unproved genesis-state/)
    const accepted = await attack(wrapped, 0, stated, { acceptUnproved: new Set(['genesis-state']) })
    expect(accepted.error).toBeUndefined()
    expect(accepted.facts.length).toBeGreaterThan(accepted.expected.length)
  })

  it('is no other time, by which the file would have another name', async () => {
    const other = bytesField(1, varintField(1, 1_700_000_000))
    await expectRefused(
      attack(wrapped, 2, withFields(wrapped.blocks[2]!, [other], [1])),
      'file_malformed',
      /first transaction is of/,
    )
  })

  it('is no other number, where the log begins with it', async () => {
    const items = readItems(wrapped.blocks[3]!)
    const header = readFields(items[0]!.content).filter(({ number }) => number !== 3)
    const renumbered = writeBlock(
      items.with(0, item(blockItem.header, Buffer.concat([writeFields(header), varintField(3, 9)]))),
    )
    const importing = await DamagedImport.begin({ ...wrapped, first: 9n }, checker)
    const error = await importing.give(renumbered, new Dice(() => 0))
    expect(error).toMatchObject({ code: 'file_malformed', message: expect.stringContaining('is of block 3') })
    await importing.close()
  })

  it('is no proof by a ledger that nobody knows yet, which would leave the signatures of nodes unread', async () => {
    const items = readItems(wrapped.blocks[0]!)
    const made = item(blockItem.proof, bytesField(2, bytesField(1, Buffer.from('made up'))))
    const before = items.findIndex(({ number }) => number === blockItem.proof)
    const { error, facts, expected } = await attack(wrapped, 0, writeBlock(items.toSpliced(before, 0, made)))
    expect(error).toBeUndefined()
    expect(facts).toEqual(expected)
  })

  it('is no version that nobody has signed, however well the block itself is proved', async () => {
    const last = wrapped.blocks.length - 1
    const proved = stateProved(wrapped, last, [])
    await expectRefused(attack(wrapped, last, proved), 'consensus_missing', /0 signatures/)
  })
})

/** A wrapped block with a proof by the ledger's signature of a made-up block behind it, as everybody could make one of a real one. */
function stateProved(chain: Chain, number: number, signatures: readonly Buffer[]): Buffer {
  const items = readItems(chain.blocks[number]!).filter((one) => one.number !== blockItem.proof)
  const source = { number: 0n, name: 'a block', size: undefined, origin: 'here', headerAt: 0, completeAt: 0 }
  const { hashes } = readBlock({ ...source, pieces: [chain.blocks[number]!] })
  const parts = {
    timestamp: encode('proto.Timestamp', { seconds: 1_900_000_000 }),
    previousRoot: hashes.sixteen,
    earlierBlocksRoot: Buffer.alloc(48, 1),
    startStateRoot: Buffer.alloc(48, 2),
    trees: new Map(),
  }
  const signature = chain.ledger!.sign(blockHash(parts, 'sixteen'))
  const message = encode(
    'com.hedera.hapi.block.stream.StateProof',
    stateProof(hashes.sixteen, [linkOf(parts, 'sixteen')], signature),
  )
  const own = varintField(1, number)
  const state = item(blockItem.proof, Buffer.concat([own, bytesField(3, message)]))
  const file = item(blockItem.proof, Buffer.concat([own, bytesField(4, varintField(1, 6), ...signatures)]))
  return writeBlock([...items, state, file])
}
