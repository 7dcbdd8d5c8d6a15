import { describe, expect, it } from 'vitest'
import { BlockPass } from '#src/importer/block-stream/block-pass.ts'
import { type BlockInFlight, BlocksInFlight } from '#src/importer/block-stream/blocks-in-flight.ts'
import type { Proof } from '#src/importer/block-stream/prove-block.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'
import { blockOf, hash48, sourceOf } from '#test/importer/block/made-blocks.ts'

const proof: Proof = { rule: 'sixteen', hash: hash48(1), kind: 'SIGNATURE_SCHNORR', generation: 1 }
const block = blockOf([])
const source = (number: number) => sourceOf(Buffer.alloc(0), { number: BigInt(number) })

interface Course {
  readonly blocksMax?: number
  /** Proofs by number; proved at once unless given. */
  readonly proofs?: Readonly<Record<number, Promise<Proof>>>
  readonly takes?: (number: number) => void
  readonly confirms?: (number: number) => 'published' | 'ended'
}

/** Runs a pass over what a source gives, and notes what happens. */
function passOver(give: (notes: string[]) => AsyncGenerator<SourceBlock, void, undefined>, course: Course = {}) {
  const notes: string[] = []
  const { blocksMax = 10, proofs = {}, takes, confirms } = course
  const flight = new BlocksInFlight({ blocksMax, bytesMax: 1 << 20 })
  const numberOf = ({ number }: SourceBlock) => Number(number)
  const pass = new BlockPass({
    feed: give(notes),
    stop: () => notes.push('stop'),
    flight,
    take: (from) => {
      takes?.(numberOf(from))
      notes.push(`take ${from.number}`)
      flight.add(from, block, undefined, proofs[numberOf(from)])
    },
    confirm: async ({ source: from }: BlockInFlight) => {
      const outcome = confirms?.(numberOf(from)) ?? 'published'
      notes.push(`${outcome} ${from.number}`)
      return outcome
    },
    flush: async () => {
      if (notes.at(-1) !== 'flush') notes.push('flush')
    },
    refused: ({ number }, error) => notes.push(`refused ${number}: ${(error as Error).message}`),
  })
  return { run: pass.run(), notes }
}

async function* blocks(...numbers: number[]): AsyncGenerator<SourceBlock, void, undefined> {
  for (const number of numbers) yield source(number)
}

const fault = (what: string) => () => {
  throw new Error(what)
}

describe('a pass over a source of blocks', () => {
  it('publishes them in order, and then what is still pending', async () => {
    const { run, notes } = passOver(() => blocks(1, 2, 3))
    await expect(run).resolves.toBe('advanced')
    expect(notes.filter((note) => note.startsWith('published'))).toEqual(['published 1', 'published 2', 'published 3'])
    expect(notes.slice(-2)).toEqual(['flush', 'stop'])
  })

  it('without blocks is idle', async () => {
    const { run, notes } = passOver(() => blocks())
    await expect(run).resolves.toBe('idle')
    expect(notes).toEqual(['flush', 'stop'])
  })

  it('reads ahead while a proof is checked, as far as there is room, and flushes what is done meanwhile', async () => {
    const second = Promise.withResolvers<Proof>()
    const { run, notes } = passOver(() => blocks(1, 2, 3, 4, 5), { blocksMax: 3, proofs: { 2: second.promise } })
    await new Promise(setImmediate)
    expect(notes).toContain('published 1')
    expect(notes).toContain('take 4')
    expect(notes).not.toContain('take 5')
    expect(notes.at(-1)).toBe('flush')
    second.resolve(proof)
    await expect(run).resolves.toBe('advanced')
    expect(notes.filter((note) => note.startsWith('published')).at(-1)).toBe('published 5')
  })

  it('ends where the end that was asked for is reached, and closes its source', async () => {
    const given = async function* (notes: string[]) {
      try {
        for (let number = 1; ; number++) yield source(number)
      } finally {
        notes.push('closed')
      }
    }
    const { run, notes } = passOver(given, { confirms: (number) => (number < 3 ? 'published' : 'ended') })
    await expect(run).resolves.toBe('ended')
    expect(notes.filter((note) => /^(published|ended)/.test(note))).toEqual(['published 1', 'published 2', 'ended 3'])
    expect(notes.slice(-3)).toEqual(['flush', 'stop', 'closed'])
  })
})

describe('a pass that fails', () => {
  it('at a block that does not hold, says so of its source, and publishes what is before it', async () => {
    const slow = Promise.withResolvers<Proof>()
    const takes = (number: number) => number === 3 && fault('no block')()
    const { run, notes } = passOver(() => blocks(1, 2, 3, 4), { takes, proofs: { 1: slow.promise } })
    await new Promise(setImmediate)
    expect(notes).toContain('refused 3: no block')
    slow.resolve(proof)
    await expect(run).rejects.toThrow('no block')
    expect(notes.filter((note) => note.startsWith('published'))).toEqual(['published 1', 'published 2'])
    expect(notes.slice(-2)).toEqual(['flush', 'stop'])
    expect(notes.join()).not.toContain('4')
  })

  it('at one that may not be published, says so of its source, and publishes none behind it', async () => {
    const confirms = (number: number) => (number === 2 ? fault('broken chain')() : 'published')
    const { run, notes } = passOver(() => blocks(1, 2, 3), { confirms: confirms as Course['confirms'] & object })
    await expect(run).rejects.toThrow('broken chain')
    expect(notes.filter((note) => /^(published|refused)/.test(note))).toEqual([
      'published 1',
      'refused 2: broken chain',
    ])
    expect(notes.at(-1)).toBe('stop')
  })

  it('with its source, says it once all before is published', async () => {
    const slow = Promise.withResolvers<Proof>()
    const given = async function* () {
      yield source(1)
      throw new Error('the source is gone')
    }
    const { run, notes } = passOver(given, { proofs: { 1: slow.promise } })
    await new Promise(setImmediate)
    slow.resolve(proof)
    await expect(run).rejects.toThrow('the source is gone')
    expect(notes.filter((note) => /^(published|refused)/.test(note))).toEqual(['published 1'])
  })
})
