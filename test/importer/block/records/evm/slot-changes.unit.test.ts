import { describe, expect, it } from 'vitest'
import type { Message } from '#src/simulator/codec.ts'
import { accountId, contractId, executed, put, removed, signed, toldBy } from '#test/importer/block/made-blocks.ts'

const call = { contractCall: {} }
const word = (value: number) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const short = (value: number) => (value === 0 ? Buffer.alloc(0) : Buffer.of(value))

const slotKey = (contract: number, slot: number) => ({
  slotKeyKey: { contractID: contractId(contract), key: word(slot) },
})
const slot = (contract: number, at: number, value: number, identical = false) =>
  put(4, slotKey(contract, at), { slotValueValue: { value: word(value) } }, identical)
const cleared = (contract: number, at: number) => removed(4, slotKey(contract, at))

const hook = { entityId: { accountId: accountId(9) }, hookId: 3 }
const hookKey = (at: number, hookId: Message = hook) => ({ evmHookSlotKey: { hookId, key: word(at) } })
const hookSlot = (at: number, value: number, hookId: Message = hook) =>
  put(52, hookKey(at, hookId), { slotValueValue: { value: word(value) } })

const byIndex = (index: number, value: number) => ({ index, readValue: short(value) })
const byKey = (key: number, value: number) => ({ key: short(key), readValue: short(value) })
const usage = (contract: number, slotReads: Message[], written?: number[]) => ({
  contractId: contractId(contract),
  slotReads,
  ...(written ? { writtenSlotKeys: { keys: written.map(short) } } : {}),
})

interface Run {
  readonly usages: Message[]
  readonly hookId?: Message
}

const execution = ({ usages, hookId }: Run) => ({
  outputs: [
    {
      contractCall: {
        evmTransactionResult: { contractId: contractId(60), gasUsed: 5, ...(hookId ? { executedHookId: hookId } : {}) },
      },
    },
  ],
  traces: [{ evmTraceData: { contractSlotUsages: usages } }],
})

/** `<contract> <slot>: <value read> -> <value written>` of each, by transaction. */
function changesOf({ sidecars, warnings }: ReturnType<typeof toldBy>) {
  const hex = (bytes: unknown) => (bytes === undefined ? '' : Buffer.from(bytes as Uint8Array).toString('hex'))
  const changes = sidecars.map(({ stateChanges }) =>
    ((stateChanges as Message)['contractStateChanges'] as Message[]).flatMap(({ contractId: id, storageChanges }) =>
      (storageChanges as Message[]).map(({ slot: at, valueRead, valueWritten }) => {
        const written = valueWritten === undefined ? '' : ` -> ${hex((valueWritten as Message)['value'])}`
        return `${(id as Message)['contractNum']} ${hex(at)}: ${hex(valueRead)}${written}`
      }),
    ),
  )
  return { changes, warnings: warnings.map((warning) => warning.replace(/^.* does not tell /, '')) }
}

function of(state: Message[], run: Run) {
  return changesOf(toldBy(executed(1, call, { ...execution(run), state })))
}

/** Several transactions of a batch, which the network commits together. */
function inFamily(state: Message[], ...runs: Run[]) {
  const batch = { atomicBatch: { transactions: runs.map(() => signed(call)) } }
  return changesOf(
    toldBy([
      ...executed(1, batch, { state }),
      ...runs.flatMap((run, index) => executed(2 + index, {}, { ...execution(run), isInner: true, parent: 1 })),
    ]),
  )
}

describe('changes of storage', () => {
  it('tell what was read, and of what was written the value that the state has', () => {
    const state = [slot(60, 1, 0x11), slot(61, 2, 0x22), slot(60, 3, 0x33), cleared(60, 4)]
    const usages = [
      usage(60, [byKey(9, 0x99), byIndex(0, 0x10), byIndex(1, 0x30), byIndex(2, 0x40)]),
      usage(61, [byIndex(0, 0)]),
    ]
    expect(of(state, { usages })).toEqual({
      changes: [['60 09: 99', '60 01: 10 -> 11', '60 03: 30 -> 33', '60 04: 40 -> ', '61 02:  -> 22']],
      warnings: [],
    })
  })

  it('count places in the keys that a trace lists, where it lists any', () => {
    const state = [slot(60, 1, 0x11), slot(60, 3, 0x33)]
    const usages = [usage(60, [byIndex(0, 0x30), byIndex(1, 0x10)], [3, 1])]
    expect(of(state, { usages }).changes).toEqual([['60 03: 30 -> 33', '60 01: 10 -> 11']])
  })

  it('count no places of slots that were written with the value that they had, but know that value', () => {
    const state = [slot(60, 1, 0x11, true), slot(60, 3, 0x33)]
    expect(of(state, { usages: [usage(60, [byIndex(0, 0x30)])] }).changes).toEqual([['60 03: 30 -> 33']])
    expect(of(state, { usages: [usage(60, [byIndex(0, 0x12)], [1])] }).changes).toEqual([['60 01: 12 -> 11']])
  })

  it('take slots with and without leading zeros for the same', () => {
    const usages = [
      {
        contractId: contractId(60),
        slotReads: [{ index: 0, readValue: word(7) }],
        writtenSlotKeys: { keys: [word(1)] },
      },
    ]
    expect(of([slot(60, 1, 0x11)], { usages }).changes).toEqual([['60 01: 07 -> 11']])
  })

  it('leave out what cannot be told, and say so', () => {
    const usages = [usage(60, [byIndex(1, 0x10), byKey(2, 0x20)]), usage(61, [byIndex(0, 1)], [5])]
    expect(of([slot(60, 1, 0x11)], { usages })).toEqual({
      changes: [['60 02: 20']],
      warnings: ['which slot the place 1 of contract 60 is', 'which value contract 61 wrote into a slot'],
    })
    const nothing = of([], { usages: [usage(60, [byIndex(0, 1)]), usage(61, [])] })
    expect(nothing).toEqual({ changes: [], warnings: ['which slot the place 0 of contract 60 is'] })
  })
})

describe('changes of storage in a family', () => {
  it('have as written what the next transaction read there first', () => {
    const state = [slot(60, 1, 0x14), slot(60, 2, 0x22)]
    const runs = [
      { usages: [usage(60, [byIndex(0, 0x10), byIndex(1, 0x20)])] },
      { usages: [usage(61, [byKey(1, 0x77)])] },
      { usages: [usage(60, [byKey(1, 0x12)])] },
      { usages: [usage(60, [byIndex(0, 0x12)])] },
    ]
    expect(inFamily(state, ...runs)).toEqual({
      changes: [['60 01: 10 -> 12', '60 02: 20 -> 22'], ['61 01: 77'], ['60 01: 12'], ['60 01: 12 -> 14']],
      warnings: [],
    })
  })

  it('tell what stood in between also where the state has nothing of the slot any more', () => {
    const runs = [{ usages: [usage(60, [byIndex(0, 0x10)], [1])] }, { usages: [usage(60, [byIndex(0, 0x11)], [1])] }]
    expect(inFamily([], ...runs)).toEqual({
      changes: [['60 01: 10 -> 11']],
      warnings: ['which value contract 60 wrote into a slot'],
    })
  })

  it('do not concern another family', () => {
    const run = execution({ usages: [usage(60, [byIndex(0, 0x10)])] })
    const later = execution({ usages: [usage(60, [byIndex(0, 0x99)])] })
    const told = toldBy([
      ...executed(1, call, { ...run, state: [slot(60, 1, 0x11)] }),
      ...executed(2, call, { ...later, state: [slot(60, 1, 0x12)] }),
    ])
    expect(changesOf(told).changes).toEqual([['60 01: 10 -> 11'], ['60 01: 99 -> 12']])
  })
})

describe('changes of the storage of hooks', () => {
  const usages = [usage(365, [byIndex(0, 0x10), byIndex(1, 0), byKey(7, 0x70)])]

  it('are those of the hook that ran', () => {
    const other = { ...hook, hookId: 4 }
    const ofContract = { entityId: { contractId: contractId(9) }, hookId: 3 }
    const state = [hookSlot(1, 0x99, other), hookSlot(1, 0x98, ofContract), hookSlot(1, 0x11), removed(52, hookKey(2))]
    expect(of(state, { usages, hookId: hook })).toEqual({
      changes: [['365 01: 10 -> 11', '365 02:  -> ', '365 07: 70']],
      warnings: [],
    })
    expect(of(state, { usages: [usage(365, [byIndex(0, 1)])], hookId: ofContract }).changes).toEqual([
      ['365 01: 01 -> 98'],
    ])
  })

  it('cannot be told where nothing says which one ran', () => {
    expect(of([hookSlot(1, 0x11)], { usages })).toEqual({
      changes: [],
      warnings: ['the storage of a hook, since the result does not say which one ran'],
    })
  })

  it('are not those of a contract with the same number', () => {
    const state = [slot(365, 1, 0x55), hookSlot(2, 0x22)]
    expect(of(state, { usages: [usage(365, [byIndex(0, 0)])], hookId: hook }).changes).toEqual([['365 02:  -> 22']])
  })
})
