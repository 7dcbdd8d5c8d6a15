import { beforeAll, describe, expect, it } from 'vitest'
import { emptyTransactionRecorded } from '#schemas/events/defaults.ts'
import { LedgerTrust } from '#src/importer/block-stream/ledger-trust.ts'
import { ImportState } from '#src/importer/state/import-state.ts'
import type { Message } from '#src/simulator/codec.ts'
import { createSimulatedLedger } from '#src/simulator/tss/simulated-ledger.ts'
import { type Ledger, readLedgerPublication } from '#src/tss/ledger.ts'
import { blockOf, errorOf, executed, fail, stateChanges } from '#test/importer/block/made-blocks.ts'
import { decode } from '#test/simulator/read-back.ts'

const publicationType = 'com.hedera.hapi.node.tss.LedgerIdPublicationTransactionBody'

interface Published {
  readonly ledger: Ledger
  readonly body: Message
}

async function published(seed: string): Promise<Published> {
  const { publication } = await createSimulatedLedger({ seed, weights: [1, 1] })
  return { ledger: readLedgerPublication(publication, seed), body: decode(publicationType, publication) }
}

let [own, other]: Published[] = []
beforeAll(async () => {
  ;[own, other] = await Promise.all([published('own'), published('other')])
})

function stateWith(one?: Published): ImportState {
  const state = new ImportState({ shard: 0n, realm: 0n })
  if (!one) return state
  const { ledgerId, historyProofVerificationKey, nodeContributions } = one.body
  const rows = (nodeContributions as Message[]).map(({ nodeId = 0, weight = 0, historyProofKey }) => ({
    nodeId: BigInt(nodeId as number),
    weight: BigInt(weight as number),
    historyProofKey: historyProofKey as Buffer,
  }))
  state.apply('TransactionRecorded', {
    ...emptyTransactionRecorded(),
    type: 77,
    successful: true,
    ledgerIdPublication: {
      ledgerId: ledgerId as Buffer,
      historyProofVerificationKey: historyProofVerificationKey as Buffer,
      nodeContributions: rows,
    },
  })
  return state
}

const publication = (one: Published, status = 22): Message[] =>
  executed(1, { ledgerIdPublication: one.body }, { result: { status } })
const blockNumber = (number: number, ...items: Message[]) => blockOf([...items, stateChanges(9, [])], { number })
const idOf = (ledger: Ledger | undefined) => ledger && Buffer.from(ledger.id).toString('hex')

describe('whom blocks are believed for', () => {
  it('is whom the log names, also where the same one is configured', () => {
    for (const configured of [undefined, own!.ledger])
      expect(idOf(new LedgerTrust('net', configured).find(stateWith(own)))).toBe(idOf(own!.ledger))
  })

  it('is whom the configuration names, where the log names nobody', () => {
    expect(new LedgerTrust('net', other!.ledger).find(stateWith())).toBe(other!.ledger)
    expect(new LedgerTrust('net', undefined).find(stateWith())).toBeUndefined()
  })

  it('is nobody where both disagree', () => {
    expect(errorOf(() => new LedgerTrust('net', other!.ledger).find(stateWith(own)))).toMatchObject({
      code: 'ledger_untrusted',
      details: { has: idOf(own!.ledger), given: idOf(other!.ledger) },
    })
  })

  it('is read once, and anew when the log names somebody else', () => {
    const trust = new LedgerTrust('net', undefined)
    const state = stateWith(own)
    expect(trust.find(state)).toBe(trust.find(state))
    expect(idOf(trust.find(stateWith(other)))).toBe(idOf(other!.ledger))
  })
})

describe('whom a block is believed for', () => {
  const trustOf = (configured?: Ledger) => new LedgerTrust('net', configured)
  const ofBlock = (trust: LedgerTrust, block: ReturnType<typeof blockNumber>, state = stateWith()) =>
    idOf(trust.ofBlock(block, state, fail))

  it('is whom the first of all names itself, where nobody is known', () => {
    expect(ofBlock(trustOf(), blockNumber(0, ...publication(own!)))).toBe(idOf(own!.ledger))
  })

  it('is not whom a block names, where somebody is known', () => {
    const block = blockNumber(0, ...publication(own!))
    expect(ofBlock(trustOf(other!.ledger), block)).toBe(idOf(other!.ledger))
    expect(ofBlock(trustOf(), block, stateWith(other))).toBe(idOf(other!.ledger))
  })

  it('is the first publication that holds and was executed', () => {
    const broken = { ...own!, body: { ...own!.body, ledgerId: Buffer.alloc(32) } }
    const items = [broken, other!].flatMap((one) => publication(one))
    expect(ofBlock(trustOf(), blockNumber(0, ...publication(own!, 7), ...items))).toBe(idOf(other!.ledger))
  })

  it('is nobody where nothing says it', () => {
    expect(errorOf(() => ofBlock(trustOf(), blockNumber(7, ...publication(own!))))).toMatchObject({
      code: 'ledger_untrusted',
      message: expect.stringMatching(/^block 7 of a source cannot be proved/),
    })
  })

  it('is asked elsewhere where the first block does not say it', () => {
    expect(errorOf(() => ofBlock(trustOf(), blockNumber(0)))).toMatchObject({
      code: 'proof_invalid',
      message: expect.stringMatching(/^block 0 of a source does not publish who signs/),
    })
  })
})
