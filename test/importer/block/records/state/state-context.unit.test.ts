import { describe, expect, it } from 'vitest'
import { mapChanges, stateId } from '#src/importer/block/records/state/state-changes.ts'
import { StateContext, type StateView } from '#src/importer/block/records/state/state-context.ts'
import { encode, type Message } from '#src/simulator/codec.ts'
import { accountId, at, fail, put, reasonOf, removed, tokenId } from '#test/importer/block/made-blocks.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'

const changesBytes = (...stateChanges: Message[]) =>
  Buffer.from(encode('com.hedera.hapi.block.stream.StateChanges', { consensusTimestamp: at(1), stateChanges }))
const token = (num: number, identical = false) =>
  put(7, { tokenIdKey: tokenId(num) }, { tokenValue: { tokenId: tokenId(num) } }, identical)
/** A TokenID or an AccountID. */
const idBytes = (num: number) => varintField(3, num)

describe('changes of state', () => {
  it('are those of entries of maps: what they are now, and what is gone', () => {
    const others = [
      { stateId: 28, singletonUpdate: { entityNumberValue: { value: 5 } } },
      { stateId: 3, stateAdd: { stateType: 1 } },
      { stateId: 126, queuePush: { protoStringElement: { value: 'one' } } },
      { stateId: 126, queuePop: {} },
    ]
    const bytes = changesBytes(...others, token(5, true), removed(2, { accountIdKey: accountId(3) }))
    expect([...mapChanges(bytes, fail)]).toEqual([
      {
        state: stateId.tokens,
        key: idBytes(5),
        value: bytesField(1, idBytes(5)),
        identical: true,
      },
      { state: stateId.accounts, key: idBytes(3), value: undefined, identical: false },
    ])
  })

  it('of an entry without a value are told as an empty one', () => {
    const [change] = mapChanges(changesBytes({ stateId: 7, mapUpdate: { key: { tokenIdKey: tokenId(5) } } }), fail)
    expect(change?.value).toEqual(Buffer.alloc(0))
  })

  it('that are no messages are an error', () => {
    expect(reasonOf(() => [...mapChanges(Buffer.from('1203ff', 'hex'), fail)])).toMatch(/wants 3 bytes/)
  })
})

describe('what a family left different', () => {
  it('is known by state, in order, from all that was written', () => {
    const context = new StateContext([changesBytes(token(5), token(4)), changesBytes(token(6))], fail)
    const keys = context.changesOf(stateId.tokens).map(({ key }) => key)
    expect(keys).toEqual([5, 4, 6].map(idBytes))
    expect(context.changesOf(stateId.accounts)).toEqual([])
  })

  it('is looked at when somebody asks, and once for all who do', () => {
    let made = 0
    const view: StateView<{ claimed: number }> = ({ changesOf: _ }) => {
      made += 1
      return { claimed: 0 }
    }
    const [one, other] = [new StateContext([], fail), new StateContext([], fail)]
    one.view(view).claimed += 1
    expect([one.view(view).claimed, other.view(view).claimed, made]).toEqual([1, 0, 2])
  })
})
