import { describe, expect, it } from 'vitest'
import type { Message } from '#src/simulator/codec.ts'
import { executed, put, removed, signed, toldBy } from '#test/importer/block/made-blocks.ts'

/** What each kind creates: its body, the state that has it, the key there and the receipt's field. */
const kinds: readonly [
  body: string,
  state: number,
  keyOf: (id: number) => Message,
  field: string,
  told: (id: number) => unknown,
][] = [
  ['fileCreate', 6, (fileNum) => ({ fileIdKey: { fileNum } }), 'fileID', (fileNum) => ({ fileNum })],
  ['tokenCreation', 7, (tokenNum) => ({ tokenIdKey: { tokenNum } }), 'tokenID', (tokenNum) => ({ tokenNum })],
  ['consensusCreateTopic', 21, (topicNum) => ({ topicIdKey: { topicNum } }), 'topicID', (topicNum) => ({ topicNum })],
  ['nodeCreate', 20, (value) => ({ entityNumberKey: { value } }), 'nodeId', (id) => id],
  ['registeredNodeCreate', 56, (id) => ({ nodeIdKey: { id } }), 'registeredNodeId', (id) => id],
]

describe.each(kinds)('%s', (body, state, keyOf, field, told) => {
  const creation = { [body]: {} }
  const entry = (id: number) => put(state, keyOf(id), {})
  const idsOf = (items: Message[]) => {
    const { records, warnings } = toldBy(items)
    return { ids: records.map(({ receipt }) => receipt[field]), warnings }
  }

  it('has the id that came into the state', () => {
    const known = removed(state, keyOf(99))
    expect(idsOf(executed(1, creation, { state: [entry(31), known] }))).toEqual({ ids: [told(31)], warnings: [] })
  })

  it('has none where it failed', () => {
    const failed = executed(1, creation, { state: [entry(31)], result: { status: 7 } })
    expect(idsOf(failed)).toEqual({ ids: [undefined], warnings: [] })
  })

  it('says where the state does not tell the id', () => {
    const { ids, warnings } = idsOf(executed(1, creation, { state: [] }))
    expect(ids).toEqual([undefined])
    expect(warnings).toEqual([expect.stringMatching(/does not tell the id of the .+ that was created$/)])
  })

  it('several of a family get their ids in their order, which are the largest', () => {
    const batch = { atomicBatch: { transactions: [signed(creation), signed(creation)] } }
    const items = [
      ...executed(1, batch, { state: [entry(7), entry(31), entry(32), entry(31)] }),
      ...executed(2, {}, { isInner: true, parent: 1 }),
      ...executed(3, {}, { isInner: true, parent: 1 }),
    ]
    expect(idsOf(items).ids).toEqual([undefined, told(31), told(32)])
  })

  it('takes no id from the state of another family', () => {
    const items = [...executed(1, creation, { state: [entry(31)] }), ...executed(2, creation, { state: [entry(30)] })]
    expect(idsOf(items).ids).toEqual([told(31), told(30)])
  })
})

it('node 0 has an id like the others, which is not written', () => {
  const { records, warnings } = toldBy(
    executed(1, { nodeCreate: {} }, { state: [put(20, { entityNumberKey: {} }, {})] }),
  )
  expect([records[0]!.receipt, warnings]).toEqual([{ status: 22 }, []])
})
