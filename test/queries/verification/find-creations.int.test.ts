import { RLP } from '@ethereumjs/rlp'
import { afterEach, expect, it } from 'vitest'
import type { LogRecord } from '#src/ports/message-log.ts'
import {
  actions,
  bytecode,
  contract,
  createBody,
  ethereumBody,
  functionResult,
  record,
  transaction,
} from '#test/projections/contract-results/story.ts'
import { chain, VerificationFixture } from '#test/verification/fixture.ts'

let fixture: VerificationFixture
afterEach(() => fixture.end())

const hex = (text: string) => Buffer.from(text, 'hex')
const fileID = { shardNum: 0n, realmNum: 0n, fileNum: 7_001n }
const fileBody = { expirationTime: null, keys: null, shardID: null, realmID: null, newRealmAdminKey: null, memo: '' }
const id = 5_001n
const child = { nonce: 1, parentConsensusTimestamp: 10n, validStartTimestamp: 1n, consensusTimestamp: 11n }
const parent = { consensusTimestamp: 10n, validStartTimestamp: 1n }

async function creationsOf(...records: LogRecord[]) {
  fixture = await new VerificationFixture().begin(records)
  const { code } = await fixture.reads.find(chain, { kind: 'entity', id: `0.0.${id}` })
  return code.creations.map((creation) => ({
    kind: creation.kind,
    code: Buffer.from(creation.code).toString('hex'),
    ...('constructorArguments' in creation && { rest: Buffer.from(creation.constructorArguments).toString('hex') }),
  }))
}

const created = (body: Parameters<typeof createBody>[0], more: Parameters<typeof transaction>[0] = {}) =>
  transaction({
    consensusTimestamp: 10n,
    type: 8,
    entityId: id,
    contractCreateInstance: createBody(body),
    contractBytecode: [bytecode(id, '', '60')],
    ...more,
  })

it('is the init code of the transaction, with the arguments behind it or beside it', async () => {
  expect(await creationsOf(created({ initcode: hex('6001aa') }))).toEqual([{ kind: 'init-code', code: '6001aa' }])
  await fixture.end()
  expect(await creationsOf(created({ initcode: hex('6001'), constructorParameters: hex('aa') }))).toEqual([
    { kind: 'init-code', code: '6001' },
    { kind: 'init-code', code: '6001aa' },
  ])
})

it('is what the file held then, with the arguments of the transaction', async () => {
  const append = (time: bigint, text: string) =>
    transaction({
      consensusTimestamp: time,
      type: 16,
      entityId: 7_001n,
      fileAppend: { fileID, contents: Buffer.from(text) },
    })
  const upload = transaction({
    consensusTimestamp: 1n,
    type: 17,
    entityId: 7_001n,
    fileCreate: { ...fileBody, contents: Buffer.from('60') },
  })
  const found = await creationsOf(
    upload,
    append(2n, '02'),
    created({ fileID, constructorParameters: hex('aa') }),
    append(12n, '03'),
  )
  expect(found).toEqual([{ kind: 'file', code: '6002', rest: 'aa' }])
})

/** EIP-1559. */
function rawTransaction(to: string, data: string): Buffer {
  const items = [298, 7, 10n, 20n, 150_000, hex(to), 0n, hex(data), [], 1, Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  return Buffer.concat([Buffer.from([2]), RLP.encode(items)])
}

function ethereum(to: string, of: bigint, data: string): LogRecord {
  const body = ethereumBody(rawTransaction(to, data))
  const contractCreateResult = functionResult({ contractID: contract(of) })
  return transaction({ ...parent, type: 50, ethereumTransaction: body, record: record({ contractCreateResult }) })
}

it('is the call data of the Ethereum transaction that made this very contract', async () => {
  const made = await creationsOf(ethereum('', id, '6001aa'), created({}, child))
  expect(made).toEqual([{ kind: 'ethereum-transaction', code: '6001aa' }])
})

it('is no call data of a call to another contract, which proves nothing', async () => {
  const called = await creationsOf(ethereum('aa'.repeat(20), 5_009n, '6001aa'), created({}, child))
  expect(called.map(({ kind }) => kind)).not.toContain('ethereum-transaction')
})

it('is told by the trace of the factory that made it', async () => {
  const action = { callType: 2, input: hex('6001bb'), recipientContract: contract(id) }
  const call = transaction({ ...parent, type: 7, contractActions: [actions(action)] })
  expect((await creationsOf(call, created({}, child)))[0]).toEqual({ kind: 'factory', code: '6001bb' })
})
