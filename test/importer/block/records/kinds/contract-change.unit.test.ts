import { describe, expect, it } from 'vitest'
import type { Message } from '#src/simulator/codec.ts'
import { accountId, contractId, executed, put, removed, toldBy } from '#test/importer/block/made-blocks.ts'

const address = Buffer.alloc(20, 0xab)
const ofAccount = (num: number, fields: Message) =>
  put(2, { accountIdKey: accountId(num) }, { accountValue: { accountId: accountId(num), ...fields } })
const kinds = ['contractUpdateInstance', 'contractDeleteInstance'] as const

describe.each(kinds)('%s', (kind) => {
  const changed = (contractID: Message, state: Message[] = [], status = 22) => {
    const { records, warnings } = toldBy(executed(1, { [kind]: { contractID } }, { state, result: { status } }))
    return { contract: records[0]!.receipt['contractID'], warnings }
  }
  const contract = { contractNum: 1_005, contract: 'contractNum' }

  it('names the contract of its body, by number or by the address that is made of it', () => {
    const longZero = Buffer.from('00000000000000000000000000000000000003ed', 'hex')
    expect(changed(contractId(1_005))).toEqual({ contract, warnings: [] })
    expect(changed({ evmAddress: longZero })).toEqual({ contract, warnings: [] })
    expect(changed(contractId(1_005), [], 7)).toEqual({ contract: undefined, warnings: [] })
  })

  it('names the contract that has the address in the state, deleted or not', () => {
    const state = [
      removed(2, { accountIdKey: accountId(1_003) }),
      ofAccount(1_004, { alias: address }),
      ofAccount(1_005, { alias: address, smartContract: true, deleted: true }),
    ]
    expect(changed({ evmAddress: address }, state)).toEqual({ contract, warnings: [] })
  })

  it('says where nothing tells whose address it is', () => {
    const { contract: told, warnings } = changed({ evmAddress: address }, [ofAccount(1_004, { alias: address })])
    expect(told).toBeUndefined()
    expect(warnings).toEqual([expect.stringMatching(/does not tell the id of the contract that was changed$/)])
  })
})
