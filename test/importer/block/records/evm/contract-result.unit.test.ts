import { RLP } from '@ethereumjs/rlp'
import { describe, expect, it } from 'vitest'
import { keccak256 } from '#src/domain/keccak.ts'
import { bloomOf, uniteBlooms } from '#src/domain/log-bloom.ts'
import type { Message } from '#src/simulator/codec.ts'
import {
  accountId,
  contractId,
  type Execution,
  executed,
  nonceOf,
  put,
  receiptsOf,
  recordOf,
  signed,
  toldBy,
} from '#test/importer/block/made-blocks.ts'

const called = (evmTransactionResult: Message): Message => ({ contractCall: { evmTransactionResult } })
const created = (evmTransactionResult: Message): Message => ({ contractCreate: { evmTransactionResult } })
const account = (num: number, alias?: Buffer) =>
  put(
    2,
    { accountIdKey: accountId(num) },
    { accountValue: { accountId: accountId(num), smartContract: true, ...(alias ? { alias } : {}) } },
  )
const bytecode = (num: number, code: Buffer) => put(5, { contractIdKey: contractId(num) }, { bytecodeValue: { code } })

const call = { contractCall: { gas: 90_000, amount: 4, functionParameters: Buffer.from('args') } }
const create = { contractCreateInstance: { gas: 80_000, initialBalance: 3 } }
const ran = { contractId: contractId(1_002), gasUsed: 21_000 }

const resultOf = (items: readonly Message[], known = {}) => {
  const { record } = recordOf(items, known)
  return (record['contractCallResult'] ?? record['contractCreateResult']) as Message
}
const idOf = (contractNum: number) => ({ contractNum, contract: 'contractNum' })

describe('the result of code', () => {
  it('is what the output of a call says, and the receipt names the contract', () => {
    const output = called({
      ...ran,
      senderId: accountId(1_001),
      resultData: Buffer.from('out'),
      errorMessage: '0x01',
      contractNonces: [{ contractId: contractId(1_002), nonce: 7 }],
      signerNonce: { value: 9 },
    })
    const { record, receipt } = recordOf(executed(1, call, { outputs: [output] }))
    expect(record['contractCreateResult']).toBeUndefined()
    expect(record['contractCallResult']).toEqual({
      contractID: idOf(1_002),
      contractCallResult: Buffer.from('out'),
      errorMessage: '0x01',
      gasUsed: 21_000,
      senderId: { accountNum: 1_001, account: 'accountNum' },
      contractNonces: [{ contractId: idOf(1_002), nonce: 7 }],
      signerNonce: { value: 9 },
    })
    expect(receipt['contractID']).toEqual(idOf(1_002))
  })

  it('is there whether the transaction succeeded or not, but not without an output', () => {
    const reverted = executed(1, call, { outputs: [called(ran)], result: { status: 33 } })
    expect(resultOf(reverted)).toEqual({ contractID: idOf(1_002), gasUsed: 21_000 })
    expect(recordOf(executed(1, call)).record).not.toHaveProperty('contractCallResult')
    expect(recordOf(executed(1, call, { outputs: [{ contractCall: {} }] })).record).not.toHaveProperty(
      'contractCallResult',
    )
  })

  it('is that of a creation, with the address that the state gives the contract', () => {
    const address = Buffer.alloc(20, 0xab)
    const state = [account(1_003), account(1_002, address)]
    const { record, receipt } = recordOf(executed(1, create, { outputs: [created(ran)], state }))
    expect(record['contractCallResult']).toBeUndefined()
    expect(record['contractCreateResult']).toEqual({
      contractID: idOf(1_002),
      createdContractIDs: [idOf(1_002)],
      evmAddress: { value: address },
      gasUsed: 21_000,
    })
    expect(receipt['contractID']).toEqual(idOf(1_002))
    const unknown = executed(1, create, { outputs: [created(ran)], state: [account(1_002)] })
    expect(resultOf(unknown)).not.toHaveProperty('evmAddress')
  })

  it('belongs to any kind of transaction that made code run', () => {
    const items = executed(1, { cryptoTransfer: {} }, { outputs: [called(ran)] })
    expect(resultOf(items)).toEqual({ contractID: idOf(1_002), gasUsed: 21_000 })
  })
})

describe('what was asked of code', () => {
  const context = { internalCallContext: { gas: 5, value: 6, callData: Buffer.from('in') } }

  it('is said of calls of contracts alone; elsewhere the body has it', () => {
    const child: Execution = { parent: 1, ...nonceOf(1) }
    const { records } = toldBy([
      ...executed(1, call, { outputs: [called(ran)] }),
      ...executed(2, call, { ...child, outputs: [called({ ...ran, ...context })] }),
      ...executed(3, call, { ...child, outputs: [called(ran)] }),
      ...executed(4, create, { outputs: [created(ran)] }),
    ])
    const asked = records.map(({ record }) => {
      const { gas, amount, functionParameters } = (record['contractCallResult'] ??
        record['contractCreateResult']) as Message
      return [gas, amount, functionParameters]
    })
    const none = [undefined, undefined, undefined]
    expect(asked).toEqual([none, [5, 6, Buffer.from('in')], none, none])
  })

  it('is what an Ethereum transaction says, in tinybars', () => {
    const raw = legacy({ value: 70_000_000_000n + 3n, data: Buffer.from('data') })
    const output = { ethereumCall: { evmCallTransactionResult: ran } }
    const { record, receipt } = recordOf(
      executed(1, { ethereumTransaction: { ethereumData: raw } }, { outputs: [output] }),
    )
    expect(record['contractCallResult']).toEqual({
      contractID: idOf(1_002),
      gasUsed: 21_000,
      gas: 100_000,
      amount: 7,
      functionParameters: Buffer.from('data'),
    })
    expect(record['ethereumHash']).toEqual(Buffer.from(keccak256(raw)))
    expect(receipt['contractID']).toEqual(idOf(1_002))
  })

  it('is nothing where the bytes are no Ethereum transaction', () => {
    const body = { ethereumTransaction: { ethereumData: Buffer.from('03ff', 'hex') } }
    const output = { ethereumCall: { evmCallTransactionResult: ran } }
    expect(resultOf(executed(1, body, { outputs: [output] }))).toEqual({ contractID: idOf(1_002), gasUsed: 21_000 })
  })
})

interface Legacy {
  readonly value?: bigint
  readonly data?: Buffer
}

/** nonce, gas price, gas limit, to, value, data, v, r, s */
function legacy({ value = 0n, data = Buffer.alloc(0) }: Legacy): Buffer {
  return Buffer.from(
    RLP.encode([1, 2, 100_000, Buffer.alloc(20, 1), value, data, 27, Buffer.alloc(32, 5), Buffer.alloc(32, 6)]),
  )
}

describe('an Ethereum transaction', () => {
  const file = { callData: { fileNum: 800 } }
  const output = { ethereumCall: { evmCreateTransactionResult: ran } }
  const asked = (ethereumData: Buffer, contents?: string, more: Message = file) => {
    const known = { contentsOf: ({ number }: { number?: bigint | undefined }) => filed(number, contents) }
    const items = executed(1, { ethereumTransaction: { ethereumData, ...more } }, { outputs: [output] })
    const { record } = recordOf(items, known)
    return [(record['contractCreateResult'] as Message)['functionParameters'], record['ethereumHash']]
  }
  const filed = (number: bigint | undefined, contents: string | undefined) =>
    number === 800n && contents !== undefined ? Buffer.from(contents) : undefined
  const hashOf = (raw: Buffer) => Buffer.from(keccak256(raw))

  it('has its data in a file of hex digits where it has none of its own', () => {
    const whole = legacy({ data: Buffer.from('abcd', 'hex') })
    expect(asked(legacy({}), '0xABcd')).toEqual([Buffer.from('abcd', 'hex'), hashOf(whole)])
    expect(asked(legacy({}), 'abcd')).toEqual([Buffer.from('abcd', 'hex'), hashOf(whole)])
  })

  it('says nothing of data in a file that is not known, or has no hex digits', () => {
    expect(asked(legacy({}))).toEqual([undefined, undefined])
    expect(asked(legacy({}), 'abc')).toEqual([undefined, undefined])
    expect(asked(legacy({}), 'no digits')).toEqual([undefined, undefined])
  })

  it('with data of its own needs no file, whatever it names', () => {
    const own = legacy({ data: Buffer.from('own') })
    for (const contents of [undefined, 'abcd']) expect(asked(own, contents)).toEqual([Buffer.from('own'), hashOf(own)])
  })

  it('without data and without a file is what it is', () => {
    expect(asked(legacy({}), 'abcd', {})).toEqual([undefined, hashOf(legacy({}))])
  })

  it('may have been uploaded in the same block', () => {
    const files = [
      ...executed(
        1,
        { fileCreate: { contents: Buffer.from('ab') } },
        { state: [put(6, { fileIdKey: { fileNum: 800 } }, { fileValue: {} })] },
      ),
      ...executed(2, { fileAppend: { fileID: { fileNum: 800 }, contents: Buffer.from('cd') } }),
      ...executed(
        3,
        { fileAppend: { fileID: { fileNum: 800 }, contents: Buffer.from('ef') } },
        { result: { status: 7 } },
      ),
      ...executed(4, { fileAppend: { fileID: { fileNum: 801 }, contents: Buffer.from('ef') } }),
      ...executed(5, { fileUpdate: { fileID: { fileNum: 800 }, memo: { value: 'memo' } } }),
    ]
    const body = { ethereumTransaction: { ethereumData: legacy({}), ...file } }
    const { records } = toldBy([...files, ...executed(6, body, { outputs: [output] })])
    const { contractCreateResult } = records[5]!.record
    expect((contractCreateResult as Message)['functionParameters']).toEqual(Buffer.from('abcd', 'hex'))
  })

  it('that did not run names no contract in its receipt', () => {
    const body = { ethereumTransaction: { ethereumData: legacy({}) } }
    const unused = { ethereumCall: { evmCallTransactionResult: { contractId: contractId(1_002) } } }
    expect(receiptsOf(executed(1, body, { outputs: [unused], result: { status: 312 } }))).toEqual([{ status: 312 }])
    expect(receiptsOf(executed(1, call, { outputs: [called({ contractId: contractId(1_002) })] }))).toEqual([
      { status: 22, contractID: idOf(1_002) },
    ])
    expect(recordOf(executed(1, body, { outputs: [{ ethereumCall: {} }] })).record).not.toHaveProperty(
      'contractCallResult',
    )
  })
})

describe('contracts that came into being', () => {
  const made = {
    ...ran,
    contractNonces: [1_002, 1_003, 1_004].map((num) => ({ contractId: contractId(num), nonce: 1 })),
  }
  const state = [bytecode(1_003, Buffer.of(1)), bytecode(1_004, Buffer.of(2)), bytecode(1_005, Buffer.of(3))]
  const createdBy = (execution: Execution, time = 1) => {
    const { records } = toldBy([...executed(time, call, execution)])
    return ((records[0]!.record['contractCallResult'] as Message)['createdContractIDs'] ?? []) as Message[]
  }

  it('have a nonce and code of their own', () => {
    expect(createdBy({ outputs: [called(made)], state })).toEqual([idOf(1_003), idOf(1_004)])
    expect(createdBy({ outputs: [called(made)], state: [] })).toEqual([])
  })

  it('are named by who asked for them, not by a child, nor where all was taken back', () => {
    expect(createdBy({ outputs: [called(made)], state, result: { status: 33 } })).toEqual([])
    expect(createdBy({ outputs: [called(made)], state, parent: 0 })).toEqual([])
    const scheduled = { scheduleRef: { scheduleNum: 5 } }
    expect(createdBy({ outputs: [called(made)], state, parent: 0, result: scheduled })).toHaveLength(2)
    const batch = executed(1, { atomicBatch: { transactions: [signed(call)] } }, { state })
    const [, inner] = toldBy([
      ...batch,
      ...executed(2, {}, { isInner: true, parent: 1, outputs: [called(made)] }),
    ]).records
    expect((inner!.record['contractCallResult'] as Message)['createdContractIDs']).toHaveLength(2)
  })
})

describe('logs', () => {
  const logs = [
    { contractId: contractId(1_002), data: Buffer.from('first'), topics: [Buffer.of(1), Buffer.alloc(32, 2)] },
    { contractId: contractId(1_003), topics: [Buffer.alloc(0)] },
  ]
  const word = (...bytes: number[]) => Buffer.concat([Buffer.alloc(32 - bytes.length), Buffer.from(bytes)])
  const longZero = (num: number) => Buffer.from(num.toString(16).padStart(40, '0'), 'hex')

  it('have whole topics, and filters of the address that the number of their contract stands for', () => {
    const state = [account(1_002, Buffer.alloc(20, 0xab))]
    const execution = { outputs: [called(ran)], traces: [{ evmTraceData: { logs } }], state }
    const { logInfo, bloom } = resultOf(executed(1, call, execution))
    const first = bloomOf(longZero(1_002), [word(1), Buffer.alloc(32, 2)])
    const second = bloomOf(longZero(1_003), [word()])
    expect(logInfo).toEqual([
      { contractID: idOf(1_002), bloom: first, topic: [word(1), Buffer.alloc(32, 2)], data: Buffer.from('first') },
      { contractID: idOf(1_003), bloom: second, topic: [word()] },
    ])
    expect(bloom).toEqual(uniteBlooms(first, second))
  })

  it('are those of the trace of code, past one of another kind', () => {
    const traces = [{ submitMessageTraceData: { sequenceNumber: 1 } }, { evmTraceData: { logs } }]
    const items = executed(1, { consensusSubmitMessage: {} }, { outputs: [called(ran)], traces })
    expect(resultOf(items)['logInfo']).toHaveLength(2)
  })

  it('of code that has no result are of nobody', () => {
    const { record } = recordOf(
      executed(1, call, { outputs: [{ contractCall: {} }], traces: [{ evmTraceData: { logs } }] }),
    )
    expect(record).not.toHaveProperty('contractCallResult')
  })
})
