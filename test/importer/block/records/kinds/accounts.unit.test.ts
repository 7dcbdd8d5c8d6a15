import { describe, expect, it } from 'vitest'
import type { Message } from '#src/simulator/codec.ts'
import { accountId, type Execution, executed, put, recordOf, toldBy } from '#test/importer/block/made-blocks.ts'

const output = (accountNum: number): Message => ({ accountCreate: { createdAccountId: accountId(accountNum) } })
const ofAccount = (num: number, fields: Message) =>
  put(2, { accountIdKey: accountId(num) }, { accountValue: { accountId: accountId(num), ...fields } })
const idOf = (accountNum: number) => ({ accountNum, account: 'accountNum' })

// A Key with the compressed point of the private key 1, and the address of that.
const secp256k1Key = Buffer.from('3a210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex')
const addressOfKey = Buffer.from('7e5f4552091a69125d5dfcb7b8c2659029395bdf', 'hex')
const ed25519Key = Buffer.concat([Buffer.from('1220', 'hex'), Buffer.alloc(32, 7)])

describe('the creation of an account', () => {
  const created = (fields: Message, execution: Execution = { outputs: [output(1_005)] }) =>
    recordOf(executed(1, { cryptoCreateAccount: fields }, execution))

  it('names the account that its output has', () => {
    expect(created({}).receipt).toEqual({ status: 22, accountID: idOf(1_005) })
    expect(created({}, { outputs: [output(1_005)], result: { status: 7 } }).receipt).toEqual({ status: 7 })
  })

  it('has the address of a key that is its alias, and none of an alias that is an address or another key', () => {
    expect(created({ alias: secp256k1Key }).record['evmAddress']).toEqual(addressOfKey)
    for (const alias of [addressOfKey, ed25519Key, Buffer.alloc(0)])
      expect(created({ alias }).record).not.toHaveProperty('evmAddress')
  })

  it('without an output tells no account, which is said', () => {
    const { records, warnings } = toldBy(executed(1, { cryptoCreateAccount: { alias: secp256k1Key } }))
    expect(records[0]!.receipt).toEqual({ status: 22 })
    expect(records[0]!.record['evmAddress']).toEqual(addressOfKey)
    expect(warnings).toEqual([
      'the transaction at 1700000000000000001 ns does not tell the id of the account that was created',
    ])
  })
})

describe('the update of an account', () => {
  const address = Buffer.alloc(20, 0xab)
  const longZero = Buffer.from('00000000000000000000000000000000000003ed', 'hex')
  const updated = (accountIDToUpdate: Message | undefined, state: Message[] = [], status = 22) =>
    toldBy(
      executed(
        1,
        { cryptoUpdateAccount: accountIDToUpdate ? { accountIDToUpdate } : {} },
        { state, result: { status } },
      ),
    )
  const accountOf = ({ records }: ReturnType<typeof updated>) => records[0]!.receipt['accountID']

  it('names the account of its body', () => {
    expect(accountOf(updated(accountId(1_005)))).toEqual(idOf(1_005))
    expect(accountOf(updated(accountId(1_005), [], 7))).toBeUndefined()
  })

  it('by its alias, where the state tells whose it is, or the alias is made of its number', () => {
    const state = [ofAccount(1_004, { alias: Buffer.alloc(20, 1) }), ofAccount(1_005, { alias: address })]
    expect(accountOf(updated({ alias: address }, state))).toEqual(idOf(1_005))
    expect(accountOf(updated({ alias: longZero }))).toEqual(idOf(1_005))
  })

  it('takes the alias of a contract for none, and says so', () => {
    const told = updated({ alias: address }, [ofAccount(1_005, { alias: address, smartContract: true })])
    expect(accountOf(told)).toBeUndefined()
    expect(told.warnings).toEqual([expect.stringMatching(/does not tell the id of the account that was updated$/)])
    expect(updated(undefined).warnings).toHaveLength(1)
  })
})
