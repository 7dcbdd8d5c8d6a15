import { MongoCompatibilityError, MongoInvalidArgumentError, MongoNetworkError, MongoServerError } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { translated } from '#src/adapters/mongodb/errors.ts'
import { openMongoStores } from '#src/adapters/mongodb/stores.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { mongoOptions } from '#test/adapters/mongodb/open-stores.ts'

const server = (code: number) => new MongoServerError({ message: `server says ${code}`, code })

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
