import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { contractResultRoutes } from '#queries/contract-results/routes.ts'
import { contractRoutes } from '#queries/contracts/routes.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import {
  bytecode,
  contract,
  createBody,
  ethereumBody,
  ethereumData,
  functionResult,
  record,
  stateChanges,
  transaction,
} from '#test/projections/contract-results/story.ts'

let ledger: TestLedger
beforeEach(async () => {
  ledger = await openTestLedger([...contractRoutes, ...contractResultRoutes])
})
afterEach(() => ledger.close())

const get = async (path: string) => JSON.parse((await ledger.app().inject(`/api/v1/contracts${path}`)).body)

const file = 7_001n
const fileID = { shardNum: 0n, realmNum: 0n, fileNum: file }
const fileBody = { expirationTime: null, keys: null, shardID: null, realmID: null, newRealmAdminKey: null, memo: '' }

function creation(time: bigint, id: bigint, fields: Parameters<typeof transaction>[0] = {}): LogRecord {
  return transaction({
    consensusTimestamp: time,
    type: 8,
    entityId: id,
    contractCreateInstance: createBody({}),
    ...fields,
  })
}

describe('the code of a contract', () => {
  it('comes from the body, and what runs from a sidecar', async () => {
    await ledger.record([
      creation(1n, 5_001n, {
        contractCreateInstance: createBody({ initcode: Buffer.from('6001', 'hex'), memo: 'pool' }),
        contractBytecode: [bytecode(5_001n, '', '60')],
      }),
    ])
    expect(await get('/5001')).toMatchObject({
      bytecode: '0x6001',
      runtime_bytecode: '0x60',
      file_id: null,
      memo: 'pool',
    })
    expect((await get('')).contracts).toEqual([expect.objectContaining({ contract_id: '0.0.5001' })])
  })

  it('comes from a file as that was when the contract was made', async () => {
    await ledger.record([
      transaction({
        consensusTimestamp: 1n,
        type: 17,
        entityId: file,
        fileCreate: { ...fileBody, contents: Buffer.from('60') },
      }),
      transaction({
        consensusTimestamp: 2n,
        type: 16,
        entityId: file,
        fileAppend: { fileID, contents: Buffer.from('02') },
      }),
      creation(3n, 5_001n, { contractCreateInstance: createBody({ fileID }) }),
      transaction({
        consensusTimestamp: 4n,
        type: 16,
        entityId: file,
        fileAppend: { fileID, contents: Buffer.from('03') },
      }),
      creation(5n, 5_002n, { contractCreateInstance: createBody({ fileID }) }),
    ])
    expect(await get('/5001')).toMatchObject({ bytecode: '0x6002', file_id: '0.0.7001' })
    expect(await get('/5002')).toMatchObject({ bytecode: '0x600203' })
  })

  it('of a child is that of the transaction that made it, unless a sidecar is all that tells', async () => {
    const child = { nonce: 1, parentConsensusTimestamp: 1n }
    await ledger.record([
      transaction({
        consensusTimestamp: 1n,
        type: 50,
        ethereumTransaction: ethereumBody(ethereumData({ data: '60aa' })),
      }),
      creation(2n, 5_001n, child),
      transaction({ consensusTimestamp: 3n, type: 7 }),
      creation(4n, 5_002n, {
        nonce: 1,
        parentConsensusTimestamp: 3n,
        contractBytecode: [bytecode(5_002n, '61', '62')],
      }),
    ])
    expect(await get('/5001')).toMatchObject({ bytecode: '0x60aa' })
    expect(await get('/5002')).toMatchObject({ bytecode: '0x61', runtime_bytecode: '0x62' })
  })

  it('is known of contracts without a record of their own, and of those that were moved into the state', async () => {
    const result = functionResult({
      contractID: contract(5_001n),
      createdContractIDs: [contract(5_001n), contract(5_002n)],
    })
    await ledger.record([
      creation(1n, 5_001n, {
        contractCreateInstance: createBody({ initcode: Buffer.from('63', 'hex') }),
        record: record({ contractCreateResult: result }),
      }),
      transaction({ consensusTimestamp: 2n, contractBytecode: [{ ...bytecode(5_001n, '', '64'), migration: true }] }),
    ])
    expect(await get('/5001')).toMatchObject({ bytecode: '0x63', runtime_bytecode: '0x64' })
  })

  it('is not that of a creation that failed', async () => {
    await ledger.record([creation(1n, 5_001n, { result: 33 })])
    expect(await get('/5001')).toMatchObject({ _status: { messages: [{ message: 'Not found' }] } })
  })
})

describe('an EVM address', () => {
  const evmAddress = Buffer.alloc(20, 0xc2)
  const given = functionResult({ contractID: contract(5_001n), evmAddress })
  const second = 1_000_000_000n
  const made = (time: bigint, id: bigint) => creation(time, id, { record: record({ contractCreateResult: given }) })
  const deleted = transaction({
    consensusTimestamp: 2n * second,
    type: 22,
    entityId: 5_001n,
    contractDeleteInstance: {
      contractID: contract(5_001n),
      transferAccountID: null,
      transferContractID: null,
      permanentRemoval: false,
    },
  })
  const hex = evmAddress.toString('hex')

  it('still shows the contract that is deleted, which nothing else finds by it, until there is another one', async () => {
    await ledger.record([made(second, 5_001n), deleted])
    expect(await get(`/0x${hex}`)).toMatchObject({ contract_id: '0.0.5001', deleted: true })
    expect(await get(`/${hex}?timestamp=1.5`)).toMatchObject({ contract_id: '0.0.5001', deleted: false })
    expect(await get(`/${hex}/state`)).toEqual({ state: [], links: { next: null } })
    await ledger.record([made(3n * second, 5_002n)])
    expect(await get(`/${hex}`)).toMatchObject({ contract_id: '0.0.5002', deleted: false })
  })

  it('that no contract has is not found, and has nothing on lists', async () => {
    const message = `No contract with the given evm address 0x${hex} has been found.`
    const notFound = { _status: { messages: [{ message }] } }
    expect(await get(`?contract.id=${hex}`)).toEqual(notFound)
    expect(await get(`?contract.id=5001&contract.id=${hex}`)).toEqual(notFound)
    for (const list of ['results', 'state'])
      expect(await get(`/${hex}/${list}`)).toEqual({ [list]: [], links: { next: null } })
    for (const path of [`/${hex}/results/1.0`, `/${hex}`])
      expect(await get(path)).toEqual({ _status: { messages: [{ message: 'Not found' }] } })
  })
})

describe('the storage of a contract', () => {
  const slots = async (query: string) =>
    (await get(`/5001/state${query}`)).state.map(({ slot, value, timestamp }: Record<string, string>) => [
      Number(slot),
      Number(value),
      timestamp,
    ])

  beforeEach(async () => {
    const at = (time: bigint, ...changes: Parameters<typeof stateChanges>[1]) =>
      transaction({ consensusTimestamp: time, type: 7, contractStateChanges: [stateChanges(5_001n, changes)] })
    await ledger.record([
      at(1_000_000_000n, [1, 0, 7], [3, 9, null]),
      at(2_000_000_000n, [1, 7, 8], [2, 0, 5]),
      at(3_000_000_000n, [1, 8, null]),
    ])
  })

  it('is what was written last; what was only read has no value', async () => {
    expect(await slots('')).toEqual([
      [1, 8, '2.000000000'],
      [2, 5, '2.000000000'],
    ])
    expect(await slots('?order=desc&limit=1')).toEqual([[2, 5, '2.000000000']])
    expect(await slots('?slot=0x1&slot=3')).toEqual([[1, 8, '2.000000000']])
    expect((await get('/5001/state?limit=1')).links.next).toBe(
      `/api/v1/contracts/5001/state?limit=1&slot=gt:0x${'0'.repeat(63)}1`,
    )
  })

  it('is at a time what was written or read then', async () => {
    expect(await slots('?timestamp=1')).toEqual([
      [1, 7, '1.000000000'],
      [3, 9, '1.000000000'],
    ])
    expect(await slots('?timestamp=gt:2')).toEqual([[1, 8, '3.000000000']])
  })

  it('is moved into place by a migration that only read it', async () => {
    const migrated = [stateChanges(5_001n, [[3, 9, null]], true)]
    await ledger.record([transaction({ consensusTimestamp: 4_000_000_000n, contractStateChanges: migrated })])
    expect(await slots('?slot=3')).toEqual([[3, 9, '4.000000000']])
  })

  it('is not that of a hook that ran', async () => {
    const changes = [stateChanges(365n, [[1, 0, 1]])]
    await ledger.record([transaction({ consensusTimestamp: 4_000_000_000n, type: 7, contractStateChanges: changes })])
    expect((await get('/365/state')).state).toEqual([])
  })
})
