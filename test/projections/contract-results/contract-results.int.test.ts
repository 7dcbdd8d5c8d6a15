import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { contractResultRoutes } from '#queries/contract-results/routes.ts'
import type { AccountID, ContractExecutionSnapshotted } from '#schemas/events/types.ts'
import { longZeroAddress } from '#src/domain/evm-address.ts'
import { keccak256 } from '#src/domain/keccak.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import {
  account,
  actions,
  block,
  bytecode,
  callBody,
  contract,
  createBody,
  ethereumBody,
  ethereumData,
  functionResult,
  record,
  stateChanges,
  target,
  transaction,
} from '#test/projections/contract-results/story.ts'
import { alice, bob, recordOf } from '#test/support/events.ts'
import { wholeEvent } from '#test/support/whole-event.ts'

type EthereumEntry = NonNullable<ContractExecutionSnapshotted['ethereum']>
type ResultEntry = NonNullable<ContractExecutionSnapshotted['result']>

let ledger: TestLedger
beforeEach(async () => {
  ledger = await openTestLedger(contractResultRoutes)
})
afterEach(() => ledger.close())

/** Appends them as a block of its own. */
async function recordBlock(events: readonly LogRecord[], hapi?: readonly [number, number]): Promise<void> {
  const [start, end] = [events[0]!.time, events.at(-1)!.time] as const
  await ledger.record([...events, block(start, [start, end], hapi)])
}

const second = 1_000_000_000n
const pool = 5_001n
const get = async (path: string) => {
  const { statusCode, body } = await ledger.app().inject(`/api/v1/contracts${path}`)
  return { status: statusCode, ...JSON.parse(body) }
}

/** A call of the pool that succeeded. */
function call(time: bigint, fields: Parameters<typeof transaction>[0] = {}): LogRecord {
  return transaction({
    consensusTimestamp: time,
    type: 7,
    entityId: pool,
    transactionIndex: Number(time % second),
    contractCall: callBody(pool, { data: 'a9059cbb' }),
    record: record({
      contractCallResult: functionResult({ contractID: contract(pool), gasUsed: 80_000n, bloom: Buffer.alloc(256) }),
    }),
    ...fields,
  })
}

describe('a result', () => {
  it('tells of a call what was asked for, and what the EVM gave back', async () => {
    const given = functionResult({
      contractID: contract(pool),
      contractCallResult: Buffer.from([1]),
      bloom: Buffer.alloc(256, 0x11),
      gasUsed: 80_000n,
      createdContractIDs: [contract(6_000n)],
      senderId: account(bob),
    })
    const facts = {
      contractCall: callBody(pool, { amount: 5n, data: 'a9' }),
      record: record({ contractCallResult: given }),
    }
    await recordBlock([call(second, facts)])
    const { results } = await get('/results')
    expect(results).toEqual([
      expect.objectContaining({
        address: `0x${'0'.repeat(36)}1389`,
        amount: 5,
        bloom: `0x${'11'.repeat(256)}`,
        block_gas_used: 21_000,
        block_hash: `0x${'000000003b9aca00'.repeat(6)}`,
        block_number: 1_000_000_000,
        call_result: '0x01',
        contract_id: '0.0.5001',
        created_contract_ids: ['0.0.6000'],
        from: `0x${'0'.repeat(37)}3ea`,
        function_parameters: '0xa9',
        gas_consumed: 80_000,
        gas_limit: 100_000,
        gas_used: 80_000,
        result: 'SUCCESS',
        status: '0x1',
        type: 0,
        chain_id: '0x128',
        access_list: [],
        transaction_index: 0,
      }),
    ])
  })

  it('is from the alias that it names its sender by, and from the payer where it names nobody', async () => {
    const from = (senderId: AccountID | null) =>
      record({ contractCallResult: functionResult({ contractID: contract(pool), gasUsed: 1n, senderId }) })
    await recordBlock([
      call(second, { record: from(account(bob)) }),
      call(2n * second, { record: from(null) }),
      call(3n * second, { record: from({ ...account(0n), accountNum: null, alias: target }) }),
    ])
    const senders = async (path: string) => (await get(path)).results.map((result: { from: string }) => result.from)
    const expected = [target, longZeroAddress(alice), longZeroAddress(bob)].map((bytes) => `0x${bytes.toString('hex')}`)
    expect(await senders('/results')).toEqual(expected)
    expect(await senders(`/${pool}/results`)).toEqual(expected)
  })

  it('is there for a call that failed before it ran, and says by its status that something is missing', async () => {
    await recordBlock([call(second, { result: 16, record: null })])
    const found = await get(`/${pool}/results/1.000000000`)
    expect(found).toMatchObject({
      status: '0x0',
      result: 'INVALID_CONTRACT_ID',
      gas_used: null,
      call_result: '0x',
      bloom: '0x',
    })
    const { statusCode } = await ledger.app().inject(`/api/v1/contracts/${pool}/results/1.000000000`)
    expect(statusCode).toBe(206)
  })

  it('is there for a child of another type that the EVM gave something back for, shown where internal ones are', async () => {
    const child = transaction({
      consensusTimestamp: second + 1n,
      type: 14,
      nonce: 1,
      parentConsensusTimestamp: second,
      record: record({ contractCallResult: functionResult({ contractID: contract(359n), gasUsed: 1n }) }),
    })
    const plain = transaction({ consensusTimestamp: second + 2n, type: 14, record: record({}) })
    await recordBlock([call(second), child, plain])
    const ids = async (query: string) =>
      (await get(query)).results.map(({ contract_id }: { contract_id: string }) => contract_id)
    expect(await ids('/results')).toEqual(['0.0.5001'])
    expect(await ids('/results?internal=true')).toEqual(['0.0.359', '0.0.5001'])
    expect(await ids('/359/results?internal=true')).toEqual(['0.0.359'])
    expect(await ids('/359/results')).toEqual([])
  })
})

describe('an Ethereum transaction', () => {
  const data = ethereumData({ value: 30_000_000_001n, data: '0707' })
  const hash = keccak256(data)
  const ethereum = (time: bigint, fields: Parameters<typeof transaction>[0]): LogRecord =>
    transaction({ consensusTimestamp: time, type: 50, ethereumTransaction: ethereumBody(data), ...fields })

  it('is shown with what its raw bytes say, in tinybars or as it was sent', async () => {
    const given = functionResult({
      contractID: contract(pool),
      gasUsed: 90_000n,
      gas: 140_000n,
      amount: 3n,
      senderId: account(bob),
    })
    await recordBlock([ethereum(second, { record: record({ contractCallResult: given, ethereumHash: hash }) })])
    const found = await get(`/results/${hash.toString('hex')}`)
    expect(found).toMatchObject({
      amount: 3,
      chain_id: '0x127',
      gas_limit: 150_000,
      gas_price: '0x',
      max_fee_per_gas: '0x2',
      max_priority_fee_per_gas: '0x1',
      nonce: 7,
      to: `0x${target.toString('hex')}`,
      type: 2,
      v: 1,
      r: `0x${'01'.repeat(32)}`,
      function_parameters: '0x0707',
      hash: `0x${hash.toString('hex')}`,
      authorization_list: [],
    })
    const exact = await get(`/results/${hash.toString('hex')}?hbar=false`)
    expect(exact).toMatchObject({ amount: 30_000_000_001, max_fee_per_gas: '0x4a817c800' })
  })

  it('is shown with every bit of a value that no ledger has, where weibars are asked for', async () => {
    const value = 2n ** 255n + 1n
    const sent = ethereumData({ value })
    const record50 = record({ ethereumHash: keccak256(sent) })
    await recordBlock([ethereum(second, { result: 10, ethereumTransaction: ethereumBody(sent), record: record50 })])
    const path = `/api/v1/contracts/results/${keccak256(sent).toString('hex')}`
    const { body } = await ledger.app().inject(`${path}?hbar=false`)
    expect(body).toContain(`"amount":${value},`)
    expect((await ledger.app().inject(path)).body).toContain(`"amount":${value / 10_000_000_000n},`)
  })

  it('has a result where it failed before it ran, but not where another attempt has it', async () => {
    await recordBlock([
      ethereum(second, { result: 312 }),
      ethereum(2n * second, { result: 11 }),
      ethereum(3n * second, { result: 10 }),
    ])
    const { results } = await get('/results')
    expect(results).toEqual([])
    expect(await get(`/results/0x${hash.toString('hex')}`)).toMatchObject({
      timestamp: '3.000000000',
      gas_used: 0,
      contract_id: null,
      to: `0x${target.toString('hex')}`,
      transaction_index: null,
      error_message: 'INSUFFICIENT_PAYER_BALANCE',
      failed_initcode: '0x0707',
    })
  })

  it('is found by its hash as the attempt that succeeded, else as the newest', async () => {
    const given = record({
      contractCallResult: functionResult({ contractID: contract(pool), gasUsed: 1n }),
      ethereumHash: hash,
    })
    const failed = (time: bigint) => ethereum(time, { result: 33, record: given })
    await recordBlock([failed(second), failed(2n * second)])
    expect(await get(`/results/${hash.toString('hex')}`)).toMatchObject({ timestamp: '2.000000000' })
    await recordBlock([ethereum(3n * second, { record: given }), failed(4n * second)])
    expect(await get(`/results/${hash.toString('hex')}`)).toMatchObject({ timestamp: '3.000000000' })
  })

  it('leaves no row of its own where its bytes are of no known type', async () => {
    const body = ethereumBody(Buffer.from('03c0', 'hex'))
    await recordBlock([transaction({ consensusTimestamp: second, type: 50, result: 10, ethereumTransaction: body })])
    expect(await get('/0.0.0/results/1.0')).toMatchObject({ gas_limit: 0, type: 0, chain_id: '0x128' })
  })

  it('has its call data from a file, as that was at the time', async () => {
    const file = 7_001n
    const bare = ethereumData()
    const create = transaction({
      consensusTimestamp: 1n,
      type: 17,
      entityId: file,
      fileCreate: { ...fileBody, contents: Buffer.from('0xab') },
    })
    const append = { fileID: null, contents: Buffer.from('cd') }
    await recordBlock([
      create,
      transaction({ consensusTimestamp: 2n, type: 16, entityId: file, fileAppend: append }),
      ethereum(second, {
        result: 10,
        ethereumTransaction: ethereumBody(bare, file),
        record: record({ ethereumHash: hash }),
      }),
      transaction({ consensusTimestamp: 2n * second, type: 16, entityId: file, fileAppend: append }),
    ])
    expect(await get(`/results/${hash.toString('hex')}`)).toMatchObject({ function_parameters: '0xabcd' })
  })
})

/** What a snapshot says of an Ethereum transaction at second 1, with a result that returned nothing. */
function stated(ethereum: Partial<EthereumEntry>, result: Partial<ResultEntry> = {}): LogRecord {
  const event = wholeEvent('ContractExecutionSnapshotted', {
    asOf: second,
    result: { contractId: pool, senderId: bob, payerAccountId: alice, transactionResult: 22, amount: 1n, ...result },
    ethereum: { type: 2, gasLimit: 5n, value: Buffer.from([0]), ...ethereum },
  })
  return { ...recordOf('ContractExecutionSnapshotted', event), time: second }
}

describe('a result that is stated', () => {
  const shown = () => get(`/${pool}/results/1.0`)

  it('tells what is empty from what is zero', async () => {
    const [empty, zero] = [Buffer.alloc(0), Buffer.from([0])]
    const said = stated({ gasPrice: empty, maxFeePerGas: zero, value: empty, chainId: empty }, { bloom: zero })
    await recordBlock([said, call(2n * second)])
    expect(await shown()).toMatchObject({
      amount: null,
      bloom: '0x00',
      chain_id: '0x128',
      gas_price: '0x',
      max_fee_per_gas: '0x0',
      max_priority_fee_per_gas: '0x',
    })
  })

  it('has call data of a file that is no hex text byte by byte, also of one that was stated later', async () => {
    const file = wholeEvent('FileSnapshotted', {
      fileId: 7_001n,
      asOf: 2n * second,
      contents: Buffer.from('0x"\u0001', 'latin1'),
    })
    const ofFile = { ...recordOf('FileSnapshotted', file), time: 2n * second }
    await recordBlock([stated({ callDataId: 7_001n }), ofFile, call(3n * second)])
    expect(await shown()).toMatchObject({ function_parameters: '0x30782201' })
  })
})

const fileBody = { expirationTime: null, keys: null, shardID: null, realmID: null, newRealmAdminKey: null, memo: '' }

describe('gas consumed', () => {
  const trace = actions({ gasUsed: 1_000n, callingAccount: account(alice), recipientContract: contract(pool) })

  it('is computed from the trace where the ledger is older than the field, and is what was used since', async () => {
    await recordBlock([call(1n)], [0, 68])
    await recordBlock([call(second, { contractActions: [trace] }), call(2n * second)], [0, 69])
    await recordBlock([call(3n * second, { contractActions: [trace] })])
    const { results } = await get('/results?order=asc&timestamp=gte:1')
    // 21,000 and 16 for each byte of the payload that is not zero.
    expect(results.map((result: { gas_consumed: number | null }) => result.gas_consumed)).toEqual([
      22_064,
      null,
      80_000,
    ])
  })

  it('counts the init code of a creation', async () => {
    await recordBlock([call(1n)], [0, 68])
    const creation = transaction({
      consensusTimestamp: second,
      type: 8,
      entityId: 6_000n,
      contractCreateInstance: createBody({ initcode: Buffer.from('6000', 'hex') }),
      contractActions: [actions({ callType: 2, gasUsed: 500n })],
      record: record({ contractCreateResult: functionResult({ contractID: contract(6_000n), gasUsed: 70_000n }) }),
    })
    await recordBlock([creation])
    const { results } = await get('/6000/results')
    expect(results[0].gas_consumed).toBe(500 + 21_000 + 32_000 + 16 + 4)
  })
})

it('keeps the init code of a creation that failed, from the body or from a sidecar', async () => {
  const failed = (time: bigint, fields: Parameters<typeof transaction>[0]): LogRecord =>
    transaction({ consensusTimestamp: time, type: 8, result: 33, entityId: pool, record: null, ...fields })
  await recordBlock([
    failed(1n, { contractCreateInstance: createBody({ initcode: Buffer.from('60', 'hex') }) }),
    failed(2n, { contractCreateInstance: createBody({}), contractBytecode: [bytecode(0n, '61', '')] }),
  ])
  const results = await Promise.all([1, 2].map((time) => get(`/${pool}/results/0.00000000${time}`)))
  expect(results.map((result: { failed_initcode: string }) => result.failed_initcode)).toEqual(['0x60', '0x61'])
})

describe('the list of results', () => {
  beforeEach(async () => {
    const by = (sender: bigint) =>
      record({
        contractCallResult: functionResult({ contractID: contract(pool), gasUsed: 1n, senderId: account(sender) }),
      })
    await recordBlock([call(second, { record: by(alice) }), call(second + 1n, { record: by(bob) })])
    await recordBlock([call(2n * second, { record: by(alice), entityId: 5_002n })])
  })
  const times = async (query: string) =>
    (await get(query)).results.map(({ timestamp }: { timestamp: string }) => timestamp)

  it('is narrowed by sender, contract, block, place and times', async () => {
    expect(await times(`/results?from=${alice}`)).toEqual(['2.000000000', '1.000000000'])
    expect(await times(`/results?from=${alice}&from=${bob}&order=asc`)).toEqual([
      '1.000000000',
      '1.000000001',
      '2.000000000',
    ])
    expect(await times(`/results?from=gt:${alice}`)).toEqual(['1.000000001'])
    expect(await times(`/${pool}/results?from=${alice}`)).toEqual(['1.000000000'])
    expect(await times('/results?block.number=1000000000')).toEqual(['1.000000001', '1.000000000'])
    expect(await times(`/results?block.hash=${'0000000077359400'.repeat(6)}`)).toEqual(['2.000000000'])
    expect(await times('/results?block.number=1000000000&transaction.index=1')).toEqual(['1.000000001'])
    expect(await times('/results?block.number=9')).toEqual([])
    expect(await times('/results?timestamp=1&timestamp=2&timestamp=3')).toEqual(['2.000000000', '1.000000000'])
    expect(await times('/results?timestamp=ne:2&timestamp=gt:1')).toEqual(['1.000000001'])
  })

  it('is paged by time', async () => {
    const { links } = await get('/results?limit=2')
    expect(links.next).toBe('/api/v1/contracts/results?limit=2&timestamp=lt:1.000000001')
    expect(await times('/results?limit=2&timestamp=lt:1.000000001')).toEqual(['1.000000000'])
  })

  it('wants a block with a place in it, and one way to name the block', async () => {
    const messages = async (query: string) => (await get(query))._status.messages
    expect(await messages('/results?transaction.index=1')).toEqual([
      { message: expect.stringContaining('requires block.number or block.hash') },
    ])
    expect(await messages(`/results?block.number=1&block.hash=${'02'.repeat(32)}`)).toEqual([
      { message: expect.stringContaining('cannot combine block.number and block.hash') },
    ])
    expect(await messages('/results?hbar=true&hbar=false')).toEqual([
      { message: "Invalid hbar parameter value: true,false. Must be 'true' or 'false'" },
    ])
  })
})

describe('what a transaction did', () => {
  it('is told call by call', async () => {
    const outer = {
      gasUsed: 900n,
      gas: 1_000n,
      callingAccount: account(alice),
      recipientContract: contract(pool),
      value: 5n,
    }
    const inner = {
      callDepth: 1,
      callOperationType: 4,
      callingContract: contract(pool),
      targetedAddress: target,
      revertReason: Buffer.from([9]),
    }
    await recordBlock([
      call(second, {
        validStartTimestamp: 5n,
        contractActions: [actions({ ...outer, output: Buffer.from([1]) }, inner)],
      }),
    ])
    const { actions: found } = await get(`/results/0.0.${alice}-0-5/actions`)
    expect(found).toEqual([
      expect.objectContaining({
        caller: '0.0.1001',
        caller_type: 'ACCOUNT',
        call_type: 'CALL',
        recipient: '0.0.5001',
        recipient_type: 'CONTRACT',
        result_data: '0x01',
        result_data_type: 'OUTPUT',
        value: 5,
      }),
      expect.objectContaining({
        call_depth: 1,
        call_operation_type: 'STATICCALL',
        caller_type: 'CONTRACT',
        recipient: null,
        to: `0x${target.toString('hex')}`,
        result_data_type: 'REVERT_REASON',
      }),
    ])
    const page = await get(`/results/0.0.${alice}-0-5/actions?limit=1&order=desc`)
    expect(page.links.next).toContain('index=lt:1')
  })

  it('lists the slots that it read and wrote, those of a migration only where their contract is named', async () => {
    const changes = [
      stateChanges(pool, [
        [2, 1, 3],
        [1, 4, null],
      ]),
      stateChanges(5_002n, [[1, 0, 0]], true),
    ]
    await recordBlock([call(second, { contractStateChanges: changes })])
    const slots = async (path: string) =>
      (await get(path)).state_changes.map(
        ({ contract_id, slot, value_read, value_written }: Record<string, string | null>) =>
          [contract_id, slot, value_read, value_written].map((text) => text?.replace(/^0x0{62}/, '') ?? null),
      )
    const own = [
      ['0.0.5001', '01', '04', null],
      ['0.0.5001', '02', '01', '03'],
    ]
    expect(await slots(`/${pool}/results/1.0`)).toEqual(own)
    expect(await slots('/5002/results/1.0')).toEqual([...own, ['0.0.5002', '01', '00', '00']])
    expect(await get('/5003/results/1.0')).toMatchObject({ status: 404 })
  })
})
