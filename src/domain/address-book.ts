import { asBuffer } from '#src/domain/bytes.ts'
import { type EntityId, entityIdOf } from '#src/domain/entity-id.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { type Fail, FieldReader } from '#src/domain/field-reader.ts'

export interface ServiceEndpoint {
  /** Dotted text; empty when the book has no address of four bytes. */
  readonly ip: string
  readonly port: number
  readonly domain: string
}

export interface AddressBookNode {
  readonly nodeId: bigint
  readonly accountId: EntityId
  /** Hex text of the DER SubjectPublicKeyInfo of the node's RSA key, as the book has it. */
  readonly publicKey: string
  readonly memo: string
  readonly description: string
  readonly certHash: string
  readonly endpoints: readonly ServiceEndpoint[]
}

export interface AddressBook {
  /** Ascending by node id; at least one. */
  readonly nodes: readonly AddressBookNode[]
}

export interface Realm {
  readonly shard: bigint
  readonly realm: bigint
}

interface RawNode {
  ip: string
  port: number
  memo: string
  publicKey: string
  nodeId: bigint
  account: { shard: bigint; realm: bigint; number: bigint } | undefined
  certHash: string
  description: string
  readonly endpoints: ServiceEndpoint[]
}

/**
 * Reads a protobuf NodeAddressBook. `address_book_invalid` when the bytes are none, hold no entry, or an entry is not of
 * this shard and realm or has no usable account: then the whole book is refused.
 */
export function readAddressBook(bytes: Uint8Array, { shard, realm }: Realm = { shard: 0n, realm: 0n }): AddressBook {
  const fields = new FieldReader(asBuffer(bytes), fail)
  const nodes = new Map<bigint, AddressBookNode>()
  while (fields.next()) {
    if (fields.field !== 1) continue
    const node = nodeOf(readNode(fields.message()), { shard, realm })
    const known = nodes.get(node.nodeId)
    nodes.set(node.nodeId, known === undefined ? node : merged(known, node))
  }
  if (nodes.size === 0) throw fail('it has no entry')
  return { nodes: [...nodes.values()].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1)) }
}

/** The same, or undefined where the bytes are no book: an upload in parts is none until its last part arrives. */
export function parseAddressBook(bytes: Uint8Array, realm?: Realm): AddressBook | undefined {
  try {
    return readAddressBook(bytes, realm)
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'address_book_invalid') return undefined
    throw error
  }
}

const fail: Fail = (reason) =>
  new LedgerError(
    'address_book_invalid',
    `The bytes are no address book: ${reason}. Give the contents of file 0.0.102 (a protobuf NodeAddressBook) of this network`,
    { reason },
  )

function readNode(fields: FieldReader): RawNode {
  const node: RawNode = {
    ip: '',
    port: 0,
    memo: '',
    publicKey: '',
    nodeId: 0n,
    account: undefined,
    certHash: '',
    description: '',
    endpoints: [],
  }
  while (fields.next()) readNodeField(fields, node)
  return node
}

function readNodeField(fields: FieldReader, node: RawNode): void {
  switch (fields.field) {
    case 1:
      node.ip = text(fields)
      break
    case 2:
      node.port = fields.int32()
      break
    case 3:
      node.memo = text(fields)
      break
    case 4:
      node.publicKey = text(fields)
      break
    case 5:
      node.nodeId = fields.int64()
      break
    case 6:
      node.account = readAccount(fields.message())
      break
    case 7:
      node.certHash = text(fields)
      break
    case 8:
      node.endpoints.push(readEndpoint(fields.message()))
      break
    case 9:
      node.description = text(fields)
      break
    default:
  }
}

function text(fields: FieldReader): string {
  return fields.bytes().toString('utf8')
}

function readAccount(fields: FieldReader): RawNode['account'] {
  const account = { shard: 0n, realm: 0n, number: 0n }
  while (fields.next()) {
    if (fields.field === 1) account.shard = fields.int64()
    else if (fields.field === 2) account.realm = fields.int64()
    else if (fields.field === 3) account.number = fields.int64()
  }
  return account
}

function readEndpoint(fields: FieldReader): ServiceEndpoint {
  let address: Buffer = Buffer.alloc(0)
  let port = 0
  let domain = ''
  while (fields.next()) {
    if (fields.field === 1) address = fields.bytes()
    else if (fields.field === 2) port = fields.int32()
    else if (fields.field === 3) domain = text(fields)
  }
  return { ip: address.length === 4 ? address.join('.') : '', port, domain }
}

function nodeOf(raw: RawNode, { shard, realm }: Realm): AddressBookNode {
  const account = raw.account ?? accountInMemo(raw.memo)
  if (account === undefined) throw fail(`entry ${raw.nodeId} names no account (memo "${raw.memo}")`)
  if (account.shard !== shard || account.realm !== realm) {
    throw fail(
      `its account ${account.shard}.${account.realm}.${account.number} is not in shard ${shard}, realm ${realm}`,
    )
  }
  const accountId = entityIdOf(account.shard, account.realm, account.number)
  if (accountId === undefined) throw fail(`the account number ${account.number} is out of range`)
  return {
    nodeId: nodeIdOf(raw.nodeId, account.number),
    accountId,
    publicKey: raw.publicKey,
    memo: raw.memo,
    description: raw.description,
    certHash: raw.certHash,
    endpoints: endpointsOf(raw),
  }
}

function accountInMemo(memo: string): RawNode['account'] {
  const match = /^(\d{1,4})\.(\d{1,5})\.(\d{1,12})$/.exec(memo)
  if (!match) return undefined
  const [, shard = '', realm = '', number = ''] = match
  return { shard: BigInt(shard), realm: BigInt(realm), number: BigInt(number) }
}

/** The earliest books have node id 0 in every entry; then the account tells, since node 0 has always been account 3. */
function nodeIdOf(nodeId: bigint, accountNumber: bigint): bigint {
  return nodeId === 0n && accountNumber < 20n && accountNumber !== 3n ? accountNumber - 3n : nodeId
}

function endpointsOf({ ip, port, endpoints }: RawNode): ServiceEndpoint[] {
  const old = ip.trim() === '' ? [] : [{ ip, port, domain: '' }]
  return distinct([...old, ...endpoints])
}

function merged(first: AddressBookNode, second: AddressBookNode): AddressBookNode {
  return { ...first, endpoints: distinct([...first.endpoints, ...second.endpoints]) }
}

function distinct(endpoints: readonly ServiceEndpoint[]): ServiceEndpoint[] {
  return [...new Map(endpoints.map((endpoint) => [JSON.stringify(endpoint), endpoint])).values()]
}
