import {
  type BulkWriteResult,
  MongoBulkWriteError,
  MongoCompatibilityError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  type TopologyDescription,
} from 'mongodb'
import { describe, expect, it } from 'vitest'
import { duplicatesIn, translated } from '#src/adapters/mongodb/errors.ts'
import { openMongoStores } from '#src/adapters/mongodb/stores.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { mongoOptions } from '#test/adapters/mongodb/open-stores.ts'

const server = (code: number) => new MongoServerError({ message: `server says ${code}`, code })

const withCode = (code: string) => Object.assign(new Error(`it says ${code}`), { code })

/** No server could be chosen, since connecting to them failed so. */
function selection(...causes: readonly Error[]): MongoServerSelectionError {
  const error = new MongoNetworkError(causes[0]!.message, { cause: causes[0]! })
  const servers = new Map(
    causes.map((cause, place) => [`server-${place}`, { error: new MongoNetworkError(cause.message, { cause }) }]),
  )
  return new MongoServerSelectionError(error.message, { error, servers } as unknown as TopologyDescription)
}

async function translationOf(error: Error): Promise<unknown> {
  return translated('the server', () => Promise.reject(error)).catch((translation: unknown) => translation)
}

describe('errors of the MongoDB driver', () => {
  it.each([
    ['config_invalid', server(18)],
    ['config_invalid', server(13)],
    ['disk_full', server(14031)],
    ['store_misconfigured', server(59)],
    ['store_misconfigured', new MongoCompatibilityError('no sessions')],
    ['store_unavailable', withCode('ENOTFOUND')],
    ['config_invalid', selection(withCode('DEPTH_ZERO_SELF_SIGNED_CERT'))],
    ['config_invalid', Object.assign(withCode('ENOENT'), { path: 'ca.pem' })],
    // The one without a certificate may be the one that is not needed.
    ['store_unavailable', selection(withCode('DEPTH_ZERO_SELF_SIGNED_CERT'), withCode('ECONNREFUSED'))],
    ['store_unavailable', selection(withCode('ECONNREFUSED'))],
    ['store_unavailable', server(10107)],
    ['store_unavailable', server(50)],
    ['store_unavailable', new MongoNetworkError('connection closed')],
    ['store_unavailable', Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' })],
  ] as const)('become %s with the original as cause', async (code, error) => {
    const translation = await translationOf(error)
    expect(isLedgerError(translation, code)).toBe(true)
    expect((translation as Error).cause).toBe(error)
    expect((translation as Error).message).toMatch(/[^.]$/)
  })

  it('that only a mistake of ours can cause stay what they are', async () => {
    for (const error of [new TypeError('wrong'), new MongoInvalidArgumentError('wrong')])
      expect(await translationOf(error)).toBe(error)
  })
})

describe('existing keys', () => {
  const bulk = (codes: readonly number[], concern: object | undefined) => {
    const writeErrors = codes.map((code, place) => ({ code, index: place * 2 }))
    const result = { getWriteConcernError: () => concern } as unknown as BulkWriteResult
    return new MongoBulkWriteError({ message: 'refused', code: codes[0]!, writeErrors } as never, result)
  }

  it('are named by their places in the batch', () => {
    expect(duplicatesIn(bulk([11000, 11000], undefined))).toEqual([0, 2])
    expect(duplicatesIn(server(11000))).toEqual([0])
    expect(duplicatesIn(bulk([11000, 50], undefined))).toBeUndefined()
    expect(duplicatesIn(server(50))).toBeUndefined()
  })

  it('do not hide that the others are not known to a majority', () => {
    expect(duplicatesIn(bulk([11000], { code: 64, errmsg: 'waiting for replication timed out' }))).toBeUndefined()
  })
})

describe('options of the MongoDB stores', () => {
  it.each([
    ['an address that is none', { uri: 'mongodb://:::' }],
    ['a database name with a dot', { database: 'a.b' }],
    ['a lease shorter than two signs of life', { leaseMs: 100, heartbeatMs: 60 }],
  ])('refuse %s before anything is asked of a server', async (_, wrong) => {
    const opening = openMongoStores({ ...mongoOptions('mongodb://127.0.0.1:1', 'ledger'), ...wrong })
    await expect(opening).rejects.toSatisfy((error) => isLedgerError(error, 'config_invalid'))
  })
})
