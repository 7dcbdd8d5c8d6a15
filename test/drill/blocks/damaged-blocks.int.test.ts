import { beforeAll, describe, expect, it } from 'vitest'
import { blockName, blockPath } from '#src/domain/block-name.ts'
import type { ProofChecker } from '#src/importer/block-stream/prove-block.ts'
import { damagedBlock } from '#test/drill/blocks/block-damages.ts'
import { type Chain, recordedChains, simulatedChains } from '#test/drill/blocks/chains.ts'
import { Dice } from '#test/drill/blocks/damage.ts'
import { DamagedImport, type Fact } from '#test/drill/blocks/damaged-import.ts'
import { harmless } from '#test/drill/blocks/harmless.ts'
import { createRandom, seed } from '#test/drill/random.ts'
import { inlineChecker } from '#test/importer/block/folder-blocks.ts'

/** All of them with LEDGER_TEST_BLOCK_DAMAGES=10000; a failing one is repeated with LEDGER_TEST_SEED. */
const damages = Number(process.env['LEDGER_TEST_BLOCK_DAMAGES'] ?? 300)
const blocksOfChain = 9
const damagesOfBlock = 8

const refusals = new Set(['file_malformed', 'proof_invalid', 'chain_broken', 'consensus_missing', 'sidecar_mismatch'])

/** What a damage came to: the code of a refusal, or that the block was published. */
type Outcome = string

describe('a damaged block', () => {
  let chains: Chain[]
  let checker: ProofChecker
  /** By chain: what each block says. */
  const undisturbed = new Map<Chain, readonly (readonly Fact[])[]>()

  beforeAll(async () => {
    checker = await inlineChecker()
    const [other] = await simulatedChains(blocksOfChain, 'another network')
    chains = [...(await simulatedChains(blocksOfChain)), ...recordedChains(), other!]
    for (const chain of chains) undisturbed.set(chain, await factsOf(chain))
  }, 300_000)

  async function factsOf(chain: Chain): Promise<Fact[][]> {
    const importing = await DamagedImport.begin(chain, checker)
    const facts: Fact[][] = []
    for (const block of chain.blocks) {
      facts.push(await published(importing, block, chain.name))
      importing.next += 1n
    }
    await importing.close()
    return facts
  }

  it(
    `is refused, or says what it said, ${damages} times over (seed ${seed})`,
    async () => {
      const seen = new Map<Outcome, number>()
      for (let round = 0, done = 0; done < damages; round++) {
        const chain = chains[round % chains.length]!
        const outcomes = await damageChain(chain, round, damages - done)
        done += outcomes.length
        for (const outcome of outcomes) seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
      }
      console.log(`${damages} damages: ${[...seen].map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`)
      // Damages that are all noticed in the same way would mean that the drill hits one thing only.
      expect([...seen.keys()]).toEqual(expect.arrayContaining(['file_malformed', 'proof_invalid', 'published']))
    },
    Math.max(300_000, damages * 500),
  )

  /** Damages each block of a chain several times, and imports it as it is in the end. */
  async function damageChain(chain: Chain, round: number, most: number): Promise<Outcome[]> {
    const dice = new Dice(createRandom(seed + round))
    const importing = await DamagedImport.begin(chain, checker)
    const outcomes: Outcome[] = []
    for (const [at, block] of chain.blocks.entries()) {
      let outcome: Outcome | undefined
      for (let count = 0; count < damagesOfBlock && outcome !== 'published' && outcomes.length < most; count++) {
        const { kind, bytes } = damagedBlock({ block, number: importing.next, chain, chains, dice })
        const label = `seed ${seed + round}, ${chain.name}, block ${importing.next}: ${kind}`
        const expected = undisturbed.get(chain)![at]!
        outcome = await damage({ importing, block, bytes, dice, kind, label, expected })
        outcomes.push(outcome)
      }
      if (outcome !== 'published')
        expect(await published(importing, block, chain.name), chain.name).toEqual(undisturbed.get(chain)![at])
      importing.next += 1n
    }
    await importing.close()
    return outcomes
  }
})

interface Damaged {
  readonly importing: DamagedImport
  readonly block: Buffer
  readonly bytes: Buffer
  readonly dice: Dice
  readonly kind: string
  readonly label: string
  readonly expected: readonly Fact[]
}

async function damage({ importing, block, bytes, dice, kind, label, expected }: Damaged): Promise<Outcome> {
  const head = await importing.head()
  const error = await importing.give(bytes, dice)
  const facts = await importing.factsAfter(head)
  if (error === undefined && facts.length > 0) {
    expect(facts, label).toEqual(expected)
    // What was zero already can be made zero.
    if (!bytes.equals(block)) expect(Object.keys(harmless), `${label} is published`).toContain(kind)
    return 'published'
  }
  expect(facts, label).toEqual([])
  // A file that is empty is on its way.
  if (bytes.length === 0 && (error === undefined || error.code === 'source_empty')) return 'not there'
  if (error === undefined) throw new Error(`${label}: neither published nor refused`)
  expect(refusals, `${label}: ${error.message}`).toContain(error.code)
  expect(error.message, label).toMatch(/a bucket|node-[abc]/)
  expect(namesBlock(error.message, importing.next), `${label}: ${error.message}`).toBe(true)
  return error.code
}

/** What a block says, as it is. */
async function published(importing: DamagedImport, block: Buffer, label: string): Promise<Fact[]> {
  const head = await importing.head()
  const error = await importing.give(block, new Dice(createRandom(1)))
  expect(error, label).toBeUndefined()
  return importing.factsAfter(head)
}

function namesBlock(message: string, number: bigint): boolean {
  return [`block ${number}`, blockName(number), blockPath(number)].some((name) => message.includes(name))
}
