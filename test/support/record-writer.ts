import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bytesField, textField, varintField } from '#test/support/protobuf-writer.ts'

/** A node with keys of its own; smaller keys than the network's, since making them is slow. */
export interface TestNode {
  readonly nodeId: number
  readonly accountNumber: number
  readonly privateKey: KeyObject
  readonly publicKeyHex: string
}

const made: TestNode[] = []

export function testNodes(count: number): TestNode[] {
  while (made.length < count) {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const publicKeyHex = publicKey.export({ type: 'spki', format: 'der' }).toString('hex')
    made.push({ nodeId: made.length, accountNumber: made.length + 3, privateKey, publicKeyHex })
  }
  return made.slice(0, count)
}

/** Serialized NodeAddressBook. */
export function addressBookOf(nodes: readonly TestNode[]): Buffer {
  return Buffer.concat(
    nodes.map(({ nodeId, accountNumber, publicKeyHex }) =>
      bytesField(1, textField(4, publicKeyHex), varintField(5, nodeId), bytesField(6, varintField(3, accountNumber))),
    ),
  )
}

export interface TestItem {
  readonly transaction: Buffer
  readonly record: Buffer
}

export const nanos = 1_000_000_000n

export function timestamp(time: bigint): Buffer {
  return Buffer.concat([varintField(1, time / nanos), varintField(2, time % nanos)])
}

/** A transaction of one body field, and its successful record. */
export function testItem(time: bigint, bodyField: number, body: Buffer, receipt: Buffer = Buffer.alloc(0)): TestItem {
  const id = Buffer.concat([bytesField(1, timestamp(time - nanos)), bytesField(2, varintField(3, 2))])
  const bodyBytes = Buffer.concat([bytesField(1, id), bytesField(2, varintField(3, 3)), bytesField(bodyField, body)])
  const transaction = bytesField(5, bytesField(1, bodyBytes))
  const record = Buffer.concat([
    bytesField(1, varintField(1, 22), receipt),
    bytesField(2, createHash('sha384').update(transaction).digest()),
    bytesField(3, timestamp(time)),
    bytesField(4, id),
    varintField(6, 1000),
  ])
  return { transaction, record }
}

export const transferItem = (time: bigint) => testItem(time, 14, Buffer.alloc(0))

export function fileUpdateItem(time: bigint, fileNumber: number, contents: Buffer): TestItem {
  return testItem(time, 19, Buffer.concat([bytesField(1, varintField(3, fileNumber)), bytesField(4, contents)]))
}

export function fileAppendItem(time: bigint, fileNumber: number, contents: Buffer): TestItem {
  return testItem(time, 16, Buffer.concat([bytesField(2, varintField(3, fileNumber)), bytesField(4, contents)]))
}

export function nodeStakeItem(time: bigint, stakes: readonly (readonly [nodeId: number, stake: bigint])[]): TestItem {
  const rows = stakes.map(([nodeId, stake]) => bytesField(2, varintField(3, nodeId), varintField(5, stake)))
  return testItem(time, 51, Buffer.concat(rows))
}

/** A contract call whose result used gas, with an optional log filter. */
export function contractCallItem(time: bigint, gasUsed: bigint, bloom: Buffer): TestItem {
  const item = testItem(time, 7, bytesField(1, varintField(3, 1001)))
  const result = bytesField(7, bytesField(1, varintField(3, 1001)), bytesField(4, bloom), varintField(5, gasUsed))
  return { transaction: item.transaction, record: Buffer.concat([item.record, result]) }
}

export interface TestFile {
  readonly name: string
  readonly startHash: Buffer
  readonly endHash: Buffer
  readonly content: Buffer
  readonly metadataHash: Buffer
  readonly sidecar: Buffer | undefined
}

export interface TestFileOptions {
  readonly time: bigint
  readonly number: bigint
  readonly items: readonly TestItem[]
  readonly startHash: Buffer
  /** Serialized TransactionSidecarRecords of one sidecar with the types 1 to 3. */
  readonly sidecarRecords?: readonly Buffer[]
  /** Name other than that of the time. */
  readonly name?: string
}

/** Record file of version 6. */
export function recordFileV6(options: TestFileOptions): TestFile {
  const { time, number, items, startHash, sidecarRecords } = options
  const endHash = items.reduce(nextHash, startHash)
  const sidecar = sidecarRecords && Buffer.concat(sidecarRecords.map((record) => bytesField(1, record)))
  const content = Buffer.concat([
    int32(6),
    bytesField(1, varintField(2, 60), varintField(3, 1)),
    bytesField(2, hashObject(startHash)),
    ...items.map(({ transaction, record }) => bytesField(3, bytesField(1, transaction), bytesField(2, record))),
    bytesField(4, hashObject(endHash)),
    varintField(5, number),
    ...(sidecar
      ? [
          bytesField(
            6,
            bytesField(1, hashObject(sha384(sidecar))),
            varintField(2, 1),
            bytesField(3, Buffer.from([1, 2, 3])),
          ),
        ]
      : []),
  ])
  const metadataHash = sha384(int32(6), int32(0), int32(60), int32(1), startHash, endHash, int64(number))
  return { name: options.name ?? `${instantName(time)}.rcd.gz`, startHash, endHash, content, metadataHash, sidecar }
}

/** Record file of version 5, which carries no number. */
export function recordFileV5({ time, items, startHash }: Omit<TestFileOptions, 'number'>): TestFile {
  const endHash = items.reduce(nextHash, startHash)
  const head = Buffer.concat([int32(5), int32(0), int32(20), int32(0), int32(1), hashObjectV5(startHash)])
  const tail = hashObjectV5(endHash)
  const content = Buffer.concat([head, ...items.map(itemV5), tail])
  return {
    name: `${instantName(time)}.rcd`,
    startHash,
    endHash,
    content,
    metadataHash: sha384(head, tail),
    sidecar: undefined,
  }
}

/** Signature file of version 6 by one node; `fileHash` other than the true one makes the node lie. */
export function signatureFile(node: TestNode, file: TestFile, fileHash = sha384(file.content)): Buffer {
  const signed = (hash: Buffer) => {
    const signature = sign('sha384', hash, node.privateKey)
    return Buffer.concat([
      varintField(1, 1),
      varintField(2, signature.length),
      varintField(3, 101 - signature.length),
      bytesField(4, signature),
      bytesField(5, hashObject(hash)),
    ])
  }
  if (file.name.endsWith('.gz')) {
    return Buffer.concat([Buffer.from([6]), bytesField(1, signed(fileHash)), bytesField(2, signed(file.metadataHash))])
  }
  const signedV5 = (hash: Buffer) => {
    const signature = sign('sha384', hash, node.privateKey)
    const { length } = signature
    return [
      hashObjectV5(hash),
      int64(0x13dc4b399b245c69n),
      int32(1),
      int32(1),
      int32(length),
      int32(101 - length),
      signature,
    ]
  }
  return Buffer.concat([Buffer.from([5]), int32(1), ...signedV5(fileHash), ...signedV5(file.metadataHash)])
}

export interface WriteOptions {
  /** Folder that stands for the bucket. */
  readonly root: string
  readonly nodes: readonly TestNode[]
  /** Folder of a node below the root; by account unless given. */
  readonly folderOf?: (node: TestNode) => string
}

export const byAccount = ({ accountNumber }: TestNode) => `recordstreams/record0.0.${accountNumber}`
export const byNodeId =
  (network: string) =>
  ({ nodeId }: TestNode) =>
    `${network}/0/${nodeId}/record`

/** Writes data, signature and sidecar of every node. */
export function writeFile(file: TestFile, { root, nodes, folderOf = byAccount }: WriteOptions): void {
  const packed = file.name.endsWith('.gz') ? gzipSync(file.content) : file.content
  for (const node of nodes) {
    const folder = join(root, folderOf(node))
    write(join(folder, file.name), packed)
    write(join(folder, signatureName(file)), signatureFile(node, file))
    if (file.sidecar) write(join(folder, 'sidecar', file.name.replace('.rcd', '_01.rcd')), gzipSync(file.sidecar))
  }
}

export function signatureName({ name }: TestFile): string {
  return `${name.replace(/\.gz$/, '')}_sig`
}

export interface ChainOptions {
  readonly first: bigint
  readonly number: bigint
  readonly startHash?: Buffer
  /** Items of each file; the first item's time is that of the file. */
  readonly items: readonly ((time: bigint) => readonly TestItem[])[]
}

/** Files of version 6, two seconds apart, each continuing the one before. */
export function chainV6({ first, number, startHash = Buffer.alloc(48, 9), items }: ChainOptions): TestFile[] {
  let hash = startHash
  return items.map((make, index) => {
    const time = first + BigInt(index) * 2n * nanos
    const file = recordFileV6({ time, number: number + BigInt(index), items: make(time), startHash: hash })
    hash = file.endHash
    return file
  })
}

export function instantName(time: bigint): string {
  const seconds = new Date(Number(time / nanos) * 1000).toISOString().slice(0, 19).replaceAll(':', '_')
  return `${seconds}.${(time % nanos).toString().padStart(9, '0')}Z`
}

export function sha384(...parts: readonly Uint8Array[]): Buffer {
  return createHash('sha384').update(Buffer.concat(parts)).digest()
}

function write(path: string, bytes: Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
}

function nextHash(run: Buffer, item: TestItem): Buffer {
  const header = Buffer.alloc(12)
  header.writeBigUInt64LE(0xf422da83a251741en, 0)
  header.writeInt32LE(1, 8)
  return sha384(header, run, header, sha384(itemV5(item)))
}

function itemV5({ record, transaction }: TestItem): Buffer {
  const classId = Buffer.alloc(8)
  classId.writeBigUInt64BE(0xe370929ba5429d8bn)
  return Buffer.concat([classId, int32(1), int32(record.length), record, int32(transaction.length), transaction])
}

function hashObject(hash: Buffer): Buffer {
  return Buffer.concat([varintField(1, 1), varintField(2, hash.length), bytesField(3, hash)])
}

function hashObjectV5(hash: Buffer): Buffer {
  const classId = Buffer.alloc(8)
  classId.writeBigUInt64BE(0xf422da83a251741en)
  return Buffer.concat([classId, int32(1), int32(0x58ff811b), int32(hash.length), hash])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}
