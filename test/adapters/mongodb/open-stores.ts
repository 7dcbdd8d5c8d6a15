import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { MongoClient } from 'mongodb'
import type { MongoOptions } from '#src/adapters/mongodb/options.ts'
import { type MongoStores, openMongoStores } from '#src/adapters/mongodb/stores.ts'
import { defaultConfig } from '#test/support/place.ts'
import type { FoundMongo } from '#test/support/services.ts'

/** Short, so that waiting for an owner to be found dead takes no time worth mentioning. */
export const testTimes = { leaseMs: 400, heartbeatMs: 40 } as const

export function mongoOptions(uri: string, database: string): MongoOptions {
  const owner = { host: hostname(), pid: process.pid, codeVersion: 'test', process: 'test' }
  return { ...defaultConfig.mongodb, uri, database, owner, ...testTimes }
}

/** A database of its own, dropped at the end with all handles closed. */
export class TestDatabase {
  readonly name = `ledger_test_${randomBytes(6).toString('hex')}`
  readonly uri: string
  readonly #opened: MongoStores[] = []

  constructor({ uri }: Pick<FoundMongo, 'uri'>) {
    this.uri = uri
  }

  async open(options: Partial<MongoOptions> = {}): Promise<MongoStores> {
    const stores = await openMongoStores({ ...mongoOptions(this.uri, this.name), ...options })
    this.#opened.push(stores)
    return stores
  }

  /** Whatever the driver can do with this database. */
  async raw<T>(work: (database: ReturnType<MongoClient['db']>) => Promise<T>): Promise<T> {
    const client = new MongoClient(this.uri, { retryWrites: false, useBigInt64: true, promoteBuffers: true })
    try {
      return await work(client.db(this.name))
    } finally {
      await client.close()
    }
  }

  async dispose(): Promise<void> {
    for (const stores of this.#opened.splice(0)) {
      await stores.readStore.close()
      await stores.close()
    }
    await this.raw((database) => database.dropDatabase())
  }
}
