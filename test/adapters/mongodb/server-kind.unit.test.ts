import { expect, it } from 'vitest'
import { replaceRowsMaxOf } from '#src/adapters/mongodb/server-kind.ts'

it.each([
  ['mongod', { version: '8.0.4', storageEngines: ['devnull', 'wiredTiger'], openssl: {} }, 500],
  ['mongos', { version: '8.0.4', openssl: { running: 'OpenSSL 3.0' } }, 500],
  ['FerretDB', { version: '7.0.42', ferretdbVersion: 'v1.24.2' }, 20],
  ['mongo-java-server', { version: '5.0.0', maxBsonObjectSize: 16_777_216 }, 20],
] as const)('replaces as many rows in a call as %s can take', (_, buildInfo, most) => {
  expect(replaceRowsMaxOf(buildInfo)).toBe(most)
})
