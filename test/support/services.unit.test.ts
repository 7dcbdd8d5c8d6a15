import { afterEach, describe, expect, it, vi } from 'vitest'
import { findKafka, findMongoServers, findRealMongo, findRegistry } from '#test/support/services.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('services that environment variables name', () => {
  it('are the brokers and the registry, as a client takes them', () => {
    vi.stubEnv('LEDGER_TEST_KAFKA', '127.0.0.1:1, 127.0.0.1:2')
    vi.stubEnv('LEDGER_TEST_REGISTRY', 'http://127.0.0.1:3/apis/ccompat/v7/')
    expect(findKafka()).toEqual({ brokers: ['127.0.0.1:1', '127.0.0.1:2'] })
    expect(findRegistry()).toEqual({ url: 'http://127.0.0.1:3/apis/ccompat/v7' })
  })

  it('are servers of the MongoDB protocol, of which the name tells what they promise', () => {
    vi.stubEnv('LEDGER_TEST_MONGODB', 'mongo-java-h2=mongodb://h:1/,ferretdb=mongodb://h:2/,mongodb=mongodb+srv://h/')
    expect(findMongoServers()).toEqual([
      { name: 'mongo-java-h2', uri: 'mongodb://h:1/', isReal: false, durable: false },
      { name: 'ferretdb', uri: 'mongodb://h:2/', isReal: false, durable: true },
      { name: 'mongodb', uri: 'mongodb+srv://h/', isReal: true, durable: true },
    ])
    expect(findRealMongo()?.uri).toBe('mongodb+srv://h/')
  })

  it('are refused when they have no name', () => {
    vi.stubEnv('LEDGER_TEST_MONGODB', 'mongodb://127.0.0.1:1/')
    expect(() => findMongoServers()).toThrow('LEDGER_TEST_MONGODB: "mongodb://127.0.0.1:1/" is not name=uri')
  })
})
