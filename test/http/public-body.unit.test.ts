import { expect, it } from 'vitest'
import { publicBody, withoutFolders } from '#src/http/public-body.ts'

it.each([
  ['The log /var/lib/ledger/data/log is gone or empty', 'The log log is gone or empty'],
  ['The database "/data/store/blocks@1.sqlite" is not available', 'The database "blocks@1.sqlite" is not available'],
  ['/mnt/streams/record0.0.3/2026-01-01T00_00_00.rcd: bad hash', '2026-01-01T00_00_00.rcd: bad hash'],
  ['The disk under /data is full', 'The disk under data is full'],
  ['see docs/how-to/repair-the-log.md', 'see docs/how-to/repair-the-log.md'],
  ['Import of host-1:4711: stopped', 'Import of host-1:4711: stopped'],
  ['http://127.0.0.1:5551/api/v1 and s3://bucket/streams/x', 'http://127.0.0.1:5551/api/v1 and s3://bucket/streams/x'],
  ['3 / 4 done, 12/24', '3 / 4 done, 12/24'],
])('says %j as %j', (text, told) => {
  expect(withoutFolders(text)).toBe(told)
})

it('leaves everything else of a body as it is', () => {
  const body = { reasons: ['x /a/b'], head: 7, none: null, nested: [{ problem: '/a/b/c', ready: false }] }
  expect(publicBody(body)).toEqual({ reasons: ['x b'], head: 7, none: null, nested: [{ problem: 'c', ready: false }] })
})
