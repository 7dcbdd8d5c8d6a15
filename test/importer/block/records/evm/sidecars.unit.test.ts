import { describe, expect, it } from 'vitest'
import type { Message } from '#src/simulator/codec.ts'
import { at, contractId, type Execution, executed, nonceOf, put, toldBy } from '#test/importer/block/made-blocks.ts'

const call = { contractCall: {} }
const create = { contractCreateInstance: {} }
const idOf = (contractNum: number) => ({ contractNum, contract: 'contractNum' })
const result = (num?: number): Message => ({
  gasUsed: 5,
  ...(num === undefined ? {} : { contractId: contractId(num) }),
})
const called = (num: number) => ({ contractCall: { evmTransactionResult: result(num) } })
const created = (num?: number) => ({ contractCreate: { evmTransactionResult: result(num) } })
const code = (num: number, text: string) =>
  put(5, { contractIdKey: contractId(num) }, { bytecodeValue: text === '' ? {} : { code: Buffer.from(text) } })
const initcode = (executedInitcode: Message): Message => ({ evmTraceData: { executedInitcode } })

function sidecarsOf(...items: Message[]): Message[] {
  return [...toldBy(items).sidecars]
}
const bytecodesOf = (...items: Message[]) => sidecarsOf(...items).map(({ bytecode }) => bytecode)

describe('sidecar records', () => {
  it('have the actions of a trace as they are, with the time of their transaction', () => {
    const contractActions = [
      { callType: 1, gas: 4, input: Buffer.from('a') },
      { callType: 2, gas: 3, output: Buffer.from('b') },
    ]
    const told = sidecarsOf(
      ...executed(7, call, { outputs: [called(60)], traces: [{ evmTraceData: { contractActions } }] }),
    )
    expect(told).toEqual([
      {
        consensusTimestamp: at(7),
        actions: { contractActions: [contractActions[0], { ...contractActions[1], resultData: 'output' }] },
        sidecarRecords: 'actions',
      },
    ])
  })

  it('are not there for a trace without anything in it, nor for code without a result', () => {
    expect(sidecarsOf(...executed(7, call, { outputs: [called(60)], traces: [{ evmTraceData: {} }] }))).toEqual([])
    const traces = [{ evmTraceData: { contractActions: [{ gas: 4 }] } }]
    expect(sidecarsOf(...executed(7, call, { outputs: [{ contractCall: {} }], traces }))).toEqual([])
  })

  it('come in the order of their transactions', () => {
    const traced = (gas: number): Execution => ({
      outputs: [called(60)],
      traces: [{ evmTraceData: { contractActions: [{ gas }] } }],
    })
    const told = sidecarsOf(...executed(1, call, traced(1)), ...executed(2, call, traced(2)))
    expect(told.map(({ consensusTimestamp }) => consensusTimestamp)).toEqual([at(1), at(2)])
  })
})

describe('the code of a contract', () => {
  const state = [code(60, 'runtime'), code(61, 'inner')]

  it('is what a trace says was executed, and what the state says is left of it', () => {
    const explicit = initcode({ contractId: contractId(60), explicitInitcode: Buffer.from('whole') })
    expect(bytecodesOf(...executed(1, create, { outputs: [created(60)], traces: [explicit], state }))).toEqual([
      { contractId: idOf(60), initcode: Buffer.from('whole'), runtimeBytecode: Buffer.from('runtime') },
    ])
  })

  it('is put together from what stands before and behind the part that is left', () => {
    const bookends = { deployBytecode: Buffer.from('deploy '), metadataBytecode: Buffer.from(' metadata') }
    const trace = (initcodeBookends: Message) => initcode({ contractId: contractId(60), initcodeBookends })
    const whole = (initcodeBookends: Message) =>
      bytecodesOf(...executed(1, create, { outputs: [created(60)], traces: [trace(initcodeBookends)], state })).map(
        (bytecode) => (bytecode as Message)['initcode'],
      )
    expect(whole(bookends)).toEqual([Buffer.from('deploy runtime metadata')])
    expect(whole({})).toEqual([Buffer.from('runtime')])
  })

  it('that failed to come into being is what was executed, of no contract', () => {
    const trace = initcode({ explicitInitcode: Buffer.from('whole') })
    const failed = { outputs: [created()], traces: [trace], state, result: { status: 33 } }
    expect(bytecodesOf(...executed(1, create, failed))).toEqual([{ initcode: Buffer.from('whole') }])
  })

  it('is that of the contract in the result where the trace names none', () => {
    const trace = initcode({ explicitInitcode: Buffer.from('whole') })
    expect(bytecodesOf(...executed(1, create, { outputs: [created(60)], traces: [trace], state }))).toEqual([
      { contractId: idOf(60), initcode: Buffer.from('whole'), runtimeBytecode: Buffer.from('runtime') },
    ])
  })

  it('that no trace tells is what the state has, of a creation', () => {
    expect(bytecodesOf(...executed(1, create, { outputs: [created(60)], state }))).toEqual([
      { contractId: idOf(60), runtimeBytecode: Buffer.from('runtime') },
    ])
    expect(bytecodesOf(...executed(1, create, { outputs: [created(62)], state }))).toEqual([])
    expect(bytecodesOf(...executed(1, create, { outputs: [created()], state }))).toEqual([])
    expect(bytecodesOf(...executed(1, call, { outputs: [called(60)], state }))).toEqual([])
    expect(bytecodesOf(...executed(1, create, { outputs: [created(60)], state: [code(60, '')] }))).toEqual([
      { contractId: idOf(60) },
    ])
  })

  it('is told once, by the trace of the family that has it', () => {
    const executedInitcode = { contractId: contractId(61), explicitInitcode: Buffer.from('whole') }
    const contractActions = [{ callType: 1, recipientContract: contractId(60) }]
    const told = bytecodesOf(
      ...executed(1, call, {
        outputs: [called(60)],
        traces: [{ evmTraceData: { contractActions, executedInitcode } }],
        state,
      }),
      ...executed(2, create, { parent: 1, ...nonceOf(1), outputs: [created(61)] }),
    )
    expect(told.filter((bytecode) => bytecode !== undefined)).toEqual([
      { contractId: idOf(61), initcode: Buffer.from('whole'), runtimeBytecode: Buffer.from('inner') },
    ])
  })

  it('of an Ethereum transaction is told by the creation that is a child of it, else by itself', () => {
    const ethereum = { ethereumTransaction: { ethereumData: Buffer.of(1) } }
    const outputs = [{ ethereumCall: { evmCreateTransactionResult: result(60) } }]
    const bytecode = { contractId: idOf(60), runtimeBytecode: Buffer.from('runtime') }
    const alone = sidecarsOf(...executed(1, ethereum, { outputs, state }))
    expect(alone).toEqual([{ consensusTimestamp: at(1), bytecode, sidecarRecords: 'bytecode' }])
    const withChild = sidecarsOf(
      ...executed(1, ethereum, { outputs, state }),
      ...executed(2, create, { parent: 1, ...nonceOf(1), outputs: [created(60)] }),
    )
    expect(withChild).toEqual([{ consensusTimestamp: at(2), bytecode, sidecarRecords: 'bytecode' }])
  })
})
