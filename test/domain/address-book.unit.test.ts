import { describe, expect, it } from 'vitest'
import { parseAddressBook, readAddressBook } from '#src/domain/address-book.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { bytesField, textField, varintField } from '#test/support/protobuf-writer.ts'

const account = (number: number, shard = 0, realm = 0) =>
  bytesField(6, varintField(1, shard), varintField(2, realm), varintField(3, number))
const endpoint = (ip: number[], port: number, domain = '') =>
  bytesField(8, bytesField(1, Buffer.from(ip)), varintField(2, port), textField(3, domain))
const entry = (...fields: Buffer[]) => bytesField(1, ...fields)

describe('address books', () => {
  it('take the account from the memo and the node id from the account in early entries', () => {
    const { nodes } = readAddressBook(Buffer.concat([entry(textField(3, '0.0.7')), entry(textField(3, '0.0.3'))]))
    expect(nodes.map(({ nodeId, accountId }) => [nodeId, accountId])).toEqual([
      [0n, 3n],
      [4n, 7n],
    ])
  })

  it('keep node id 0 of an account that is not an early one', () => {
    expect(readAddressBook(entry(varintField(5, 0), account(25))).nodes[0]?.nodeId).toBe(0n)
  })

  it('merge entries of one node and keep distinct endpoints', () => {
    const first = entry(
      varintField(5, 9),
      account(12),
      textField(1, '1.2.3.4'),
      varintField(2, 50211),
      endpoint([1, 2, 3, 4], 50211),
    )
    const second = entry(varintField(5, 9), account(13), endpoint([5, 6, 7, 8], 1), endpoint([], 443, 'node.example'))
    const [node] = readAddressBook(Buffer.concat([first, second])).nodes
    expect(node?.accountId).toBe(12n)
    expect(node?.endpoints).toEqual([
      { ip: '1.2.3.4', port: 50211, domain: '' },
      { ip: '5.6.7.8', port: 1, domain: '' },
      { ip: '', port: 443, domain: 'node.example' },
    ])
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['an entry without an account', entry(varintField(5, 1))],
    ['a memo that is no account', entry(textField(3, 'node one'))],
    ['an account of another shard', entry(account(3, 1))],
    ['an account of another realm', Buffer.concat([entry(account(3)), entry(varintField(5, 2), account(4, 0, 7))])],
    ['half a book', entry(account(3)).subarray(0, 4)],
  ])('are refused as a whole: %s', (_, bytes) => {
    expect(parseAddressBook(bytes)).toBeUndefined()
    expect(() => readAddressBook(bytes)).toThrow(LedgerError)
  })

  it('may be of another shard and realm where so configured', () => {
    expect(readAddressBook(entry(account(3, 11, 12)), { shard: 11n, realm: 12n }).nodes).toHaveLength(1)
  })
})
