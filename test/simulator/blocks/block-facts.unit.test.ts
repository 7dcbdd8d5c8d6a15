import { beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '#src/simulator/codec.ts'
import { mixPresets } from '#src/simulator/mix.ts'
import { createNetwork } from '#src/simulator/network.ts'
import type { SimulatorOptions } from '#src/simulator/options.ts'
import { type BlockTransaction, nanosOf, topOf, transactionsOf } from '#test/simulator/blocks/block-transactions.ts'
import { blockFilesOf, type ReadBlockFile, signer } from '#test/simulator/blocks/read-blocks.ts'
import { StateContext } from '#test/simulator/blocks/state-context.ts'
import { nextBlocks } from '#test/simulator/next-blocks.ts'

const { weights, ...shares } = mixPresets.default
const more = {
  stackedBatch: 8,
  hookTransfer: 8,
  hookStore: 4,
  hookCreate: 4,
  hookDelete: 2,
  contractCall: 12,
  contractCallWithChildren: 4,
  cryptoDelete: 2,
  tokenClaimAirdrop: 2,
}
const options: SimulatorOptions = {
  seed: 'facts of blocks',
  nodes: 1,
  accounts: 60,
  transactionsPerSecond: 40,
  dayBlocks: 20,
  stream: 'blocks',
  mix: { ...shares, weights: { ...weights, ...more } },
}

let blocks: ReadBlockFile[] = []
let transactions: BlockTransaction[] = []

beforeAll(async () => {
  const network = createNetwork(options, undefined, undefined, signer)
  blocks = blockFilesOf(await nextBlocks(network, 70))
  transactions = blocks.flatMap(transactionsOf)
}, 60_000)

const isDone = ({ result }: BlockTransaction) => result['status'] === 22
const nonceOf = ({ body }: BlockTransaction) => Number((body['transactionID'] as Message)['nonce'] ?? 0)
/** What it changed is told with the transaction behind it, of which it knows nothing. */
const precedes = (one: BlockTransaction) => nonceOf(one) > 0 && !one.parent
const outputOf = ({ outputs }: BlockTransaction, name: string) =>
  outputs.find((output) => name in output)?.[name] as Message | undefined
const evmResultOf = (one: BlockTransaction, name: string) =>
  (outputOf(one, name)?.['evmTransactionResult'] ?? {}) as Message
const traceOf = ({ traces }: BlockTransaction, name: string) =>
  traces.find((trace) => name in trace)?.[name] as Message | undefined
const stateOf = (transaction: BlockTransaction) => topOf(transaction).state
const changesOf = (transaction: BlockTransaction, stateId: number) =>
  stateOf(transaction).filter((change) => change['stateId'] === stateId)
const hasState = (stateId: number) => (transaction: BlockTransaction) => changesOf(transaction, stateId).length > 0

/** What a successful transaction of each kind has, and where. */
const carried: { readonly [kind: string]: readonly [where: string, holds: (one: BlockTransaction) => unknown][] } = {
  cryptoCreateAccount: [
    ['account_create output', (one) => outputOf(one, 'accountCreate')?.['createdAccountId']],
    ['account in state', hasState(2)],
  ],
  cryptoUpdateAccount: [['account in state', hasState(2)]],
  cryptoDelete: [['account in state', hasState(2)]],
  fileCreate: [['file in state', hasState(6)]],
  fileUpdate: [['file in state', hasState(6)]],
  fileAppend: [['file in state', hasState(6)]],
  tokenCreation: [['token in state', hasState(7)]],
  tokenMint: [['token with its supply in state', (one) => [...new StateContext(stateOf(one)).supplies].length > 0]],
  tokenBurn: [['token in state', hasState(7)]],
  tokenWipe: [['token in state', hasState(7)]],
  tokenUpdate: [['token in state', hasState(7)]],
  tokenCancelAirdrop: [['airdrop in state', hasState(25)]],
  tokenClaimAirdrop: [['airdrop in state', hasState(25)]],
  consensusCreateTopic: [['topic in state', hasState(21)]],
  consensusSubmitMessage: [
    ['topic with its newest message in state', (one) => new StateContext(stateOf(one)).messages.size],
  ],
  nodeCreate: [['node in state', hasState(20)]],
  nodeUpdate: [['node in state', hasState(20)]],
  nodeDelete: [['node in state', hasState(20)]],
  registeredNodeCreate: [['registered node in state', hasState(56)]],
  registeredNodeUpdate: [['registered node in state', hasState(56)]],
  registeredNodeDelete: [['registered node in state', hasState(56)]],
  nodeStakeUpdate: [['stakes in state', hasState(10)]],
  hookStore: [['hook storage in state', hasState(52)]],
  scheduleCreate: [
    ['create_schedule output', (one) => outputOf(one, 'createSchedule')?.['scheduleId']],
    ['schedule in state', hasState(14)],
  ],
  scheduleSign: [['sign_schedule output', (one) => outputOf(one, 'signSchedule')?.['scheduledTransactionId']]],
  utilPrng: [['util_prng output', (one) => outputOf(one, 'utilPrng')]],
  contractCall: [['contract_call output', (one) => evmResultOf(one, 'contractCall')['gasUsed']]],
  contractCreateInstance: [
    ['contract_create output', (one) => evmResultOf(one, 'contractCreate')['contractId']],
    ['code in state', hasState(5)],
    ['executed initcode in the trace', (one) => traceOf(one, 'evmTraceData')?.['executedInitcode']],
  ],
  ethereumTransaction: [['ethereum_call output', (one) => outputOf(one, 'ethereumCall')]],
}

describe('a successful transaction', () => {
  it('has what no other place tells, by its kind', () => {
    for (const [kind, facts] of Object.entries(carried)) {
      const done = transactions.filter((one) => one.kind === kind && isDone(one) && !precedes(one))
      expect([kind, done.length > 0]).toEqual([kind, true])
      for (const [where, holds] of facts)
        expect([kind, where, done.filter((one) => !holds(one)).length]).toEqual([kind, where, 0])
    }
  })

  it('has one change of state at its time, which its children and inner transactions share', () => {
    const byTime = new Map<string, number>()
    for (const { items } of blocks)
      for (const [index, { field, content }] of items.entries()) {
        if (field !== 'stateChanges' || !/transaction|traceData/i.test(items[index - 1]?.field ?? '')) continue
        if (/queuePush|singletonUpdate/.test(JSON.stringify(content))) continue
        const time = JSON.stringify((content as Message)['consensusTimestamp'])
        byTime.set(time, (byTime.get(time) ?? 0) + 1)
      }
    for (const { result, parent } of transactions) {
      const count = byTime.get(JSON.stringify(result['consensusTimestamp'])) ?? 0
      expect(count).toBeLessThanOrEqual(1)
      if (parent) expect(count).toBe(0)
    }
    expect(byTime.size).toBeGreaterThan(2_000)
  })

  it('of a batch has no bytes of its own, but what belongs to it has', () => {
    const bytes = blocks.flatMap(({ items }) => items.filter(({ field }) => field === 'signedTransaction'))
    const there = new Set(bytes.map(({ content }) => Buffer.from(content as Uint8Array).toString('base64')))
    const inBatches = transactions.filter(({ parent }) => parent?.kind === 'atomicBatch')
    for (const one of inBatches) expect(there.has(Buffer.from(one.signed).toString('base64'))).toBe(nonceOf(one) > 0)
    expect(inBatches.some((one) => nonceOf(one) > 0)).toBe(true)
    const children = transactions.filter(({ parent }) => parent?.parent)
    expect(children.length).toBeGreaterThan(3)
  })
})

describe('the parent of a transaction', () => {
  it('is found by its time, and by walking from item to item', () => {
    let previous: BlockTransaction | undefined
    for (const one of transactions) {
      const time = one.result['parentConsensusTimestamp']
      if (time) {
        const above = [previous, previous?.parent, previous?.parent?.parent]
        expect(above.find((each) => each?.time === nanosOf(time))).toBe(one.parent)
      }
      previous = one
    }
  })
})

describe('messages to one topic in one batch', () => {
  it('have traces but for the last, whose number is the topic’s', () => {
    const batches = transactions.filter(({ kind }) => kind === 'atomicBatch')
    let traced = 0
    for (const batch of batches) {
      const messages = transactions.filter(({ parent, kind }) => parent === batch && kind === 'consensusSubmitMessage')
      if (messages.length < 2) continue
      const numbers = messages.map((one) => traceOf(one, 'submitMessageTraceData')?.['sequenceNumber'])
      const [{ sequence } = { sequence: 0 }] = [...new StateContext(batch.state).messages.values()]
      const count = messages.length - 1
      expect(numbers).toEqual([...Array.from({ length: count }, (_, index) => sequence - count + index), undefined])
      traced += 1
    }
    expect(traced).toBeGreaterThan(0)
  })
})

describe('the trace of code', () => {
  const traces = () => transactions.map((one) => traceOf(one, 'evmTraceData')).filter((trace) => trace !== undefined)

  it('has actions, logs without leading zeros, and slots by place and by key', () => {
    const all = traces()
    const usages = all.flatMap((trace) => (trace['contractSlotUsages'] ?? []) as Message[])
    const reads = usages.flatMap(({ slotReads }) => (slotReads ?? []) as Message[])
    expect(all.filter((trace) => trace['contractActions']).length).toBeGreaterThan(100)
    expect(new Set(reads.map(({ identifier }) => identifier))).toEqual(new Set(['index', 'key']))
    expect(reads.some(({ identifier, index }) => identifier === 'index' && index === 0)).toBe(true)
    expect(usages.some(({ writtenSlotKeys }) => writtenSlotKeys)).toBe(true)
    expect(
      usages.some(({ writtenSlotKeys, slotReads }) => !writtenSlotKeys && JSON.stringify(slotReads).includes('index')),
    ).toBe(true)
    const topics = all.flatMap((trace) =>
      ((trace['logs'] ?? []) as Message[]).flatMap(({ topics }) => topics as Uint8Array[]),
    )
    expect(topics.length).toBeGreaterThan(100)
    expect(topics.filter(([first]) => first === 0)).toEqual([])
  })

  it('has the code of new contracts as a whole, and around the part that stays', () => {
    const initcodes = traces().flatMap(({ executedInitcode }): Message[] =>
      executedInitcode ? [executedInitcode as Message] : [],
    )
    expect(new Set(initcodes.map(({ initcode }) => initcode))).toEqual(
      new Set(['explicitInitcode', 'initcodeBookends']),
    )
  })

  it('of a hook names the hook in its result, and the network’s contract for hooks', () => {
    const runs = transactions.filter((one) => {
      const { evmTransactionResult } = outputOf(one, 'contractCall') ?? {}
      return (evmTransactionResult as Message | undefined)?.['executedHookId']
    })
    expect(runs.length).toBeGreaterThan(10)
    for (const run of runs) {
      const { contractId } = outputOf(run, 'contractCall')!['evmTransactionResult'] as Message
      expect(contractId).toMatchObject({ contractNum: 365 })
    }
  })

  it('says with which gas and parameters code was called only of calls from within', () => {
    let within = 0
    for (const one of transactions) {
      const { contractCall, contractCreate } = Object.assign({}, ...one.outputs) as { [name: string]: Message }
      const result = (contractCall ?? contractCreate)?.['evmTransactionResult'] as Message | undefined
      if (!result) continue
      const isChild = nonceOf(one) > 0
      expect('internalCallContext' in result).toBe(isChild)
      if (isChild) within += 1
    }
    expect(within).toBeGreaterThan(50)
  })
})

describe('changes of state', () => {
  it('name each key once in a family, with slots that are as they were, and keys that are gone', () => {
    const contexts = transactions.filter(({ parent }) => !parent).map((one) => new StateContext(one.state))
    expect(contexts.some(({ identical }) => identical > 0)).toBe(true)
    expect(contexts.some(({ deleted }) => deleted > 0)).toBe(true)
    for (const { state, parent } of transactions) {
      if (parent) continue
      const keys = state.flatMap(({ stateId, mapUpdate, mapDelete }) => {
        const { key } = (mapUpdate ?? mapDelete ?? {}) as Message
        return key ? [`${stateId} ${JSON.stringify(key)}`] : []
      })
      expect(new Set(keys).size).toBe(keys.length)
    }
  })

  it('are of every state that a consumer reads, and of others', () => {
    const seen = new Set(transactions.flatMap(({ state }) => state.map(({ stateId }) => Number(stateId))))
    for (const stateId of [2, 3, 4, 5, 6, 7, 8, 10, 14, 20, 21, 25, 51, 52, 53, 56])
      expect([stateId, seen.has(stateId)]).toEqual([stateId, true])
    const all = new Set(
      blocks.flatMap(({ items }) =>
        items
          .filter(({ field }) => field === 'stateChanges')
          .flatMap(({ content }) => ((content as Message)['stateChanges'] ?? []) as Message[])
          .map(({ changeOperation }) => changeOperation),
      ),
    )
    expect(all).toEqual(new Set(['mapUpdate', 'mapDelete', 'singletonUpdate', 'queuePush']))
  })

  it('have balances that the transfers of all results add up to', () => {
    const sums = new Map<number, bigint>()
    for (const { result } of transactions)
      for (const { accountID, amount } of ((result['transferList'] as Message)['accountAmounts'] ?? []) as Message[]) {
        const num = Number((accountID as Message)['accountNum'])
        sums.set(num, (sums.get(num) ?? 0n) + BigInt(amount as number))
      }
    const held = new Map<number, number>()
    for (const { state, parent } of transactions)
      for (const { mapUpdate } of parent ? [] : state) {
        const { accountValue } = ((mapUpdate as Message | undefined)?.['value'] ?? {}) as { accountValue?: Message }
        if (accountValue)
          held.set(
            Number((accountValue['accountId'] as Message)['accountNum']),
            Number(accountValue['tinybarBalance'] ?? 0),
          )
      }
    expect(held.size).toBeGreaterThan(100)
    for (const [num, balance] of held) expect([num, balance]).toEqual([num, Number(sums.get(num) ?? 0n)])
  })
})
