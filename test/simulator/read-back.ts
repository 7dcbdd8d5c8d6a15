import { hash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { SimulatedBlock } from '#src/simulator/block-files.ts'
import { type Message, messageType } from '#src/simulator/codec.ts'

/** What a test sees of one item: everything decoded, int64 values as numbers, absent fields absent. */
export interface ReadItem {
  readonly transaction: Uint8Array
  readonly recordBytes: Uint8Array
  readonly body: Message
  /** Name of the body's data field. */
  readonly kind: string
  readonly record: Message
  readonly hashMatches: boolean
}

export interface ReadBlock {
  readonly data: Buffer
  readonly file: Message
  readonly items: readonly ReadItem[]
  readonly sidecars: readonly Message[]
}

const plain = { longs: Number, oneofs: true } as const

export function decode(name: string, bytes: Uint8Array): Message {
  const type = messageType(name)
  return type.toObject(type.decode(bytes), plain) as Message
}

export function fileOf(block: SimulatedBlock, node: number, suffix: string): Buffer {
  const file = block.files.find(
    ({ path }) => path.startsWith(`recordstreams/record0.0.${node + 3}/`) && path.endsWith(suffix),
  )
  if (!file) throw new Error(`block ${block.name} has no ${suffix} of node ${node}`)
  return Buffer.from(file.bytes)
}

export function readBlock(block: SimulatedBlock): ReadBlock {
  const data = gunzipSync(fileOf(block, 0, 'Z.rcd.gz'))
  const file = decode('proto.RecordStreamFile', data.subarray(4))
  const items = sliceItems(data.subarray(4)).map(readItem)
  const hasSidecar = block.files.some(({ path }) => path.endsWith('_01.rcd.gz'))
  const sidecar = hasSidecar ? decode('proto.SidecarFile', gunzipSync(fileOf(block, 0, '_01.rcd.gz'))) : {}
  return { data, file, items, sidecars: (sidecar['sidecarRecords'] ?? []) as Message[] }
}

function readItem({ transaction, record }: { transaction: Uint8Array; record: Uint8Array }): ReadItem {
  const signed = decode('proto.Transaction', transaction)['signedTransactionBytes'] as Uint8Array
  const body = decode('proto.TransactionBody', decode('proto.SignedTransaction', signed)['bodyBytes'] as Uint8Array)
  const decoded = decode('proto.TransactionRecord', record)
  const hashMatches = hash('sha384', signed, 'buffer').equals(decoded['transactionHash'] as Uint8Array)
  return { transaction, recordBytes: record, body, kind: String(body['data']), record: decoded, hashMatches }
}

/** The raw bytes of the items, cut out of the file without decoding them. */
function sliceItems(file: Uint8Array): { transaction: Uint8Array; record: Uint8Array }[] {
  return fieldsOf(file)
    .filter(([field]) => field === 3)
    .map(([, item]) => {
      const parts = new Map(fieldsOf(item))
      return { transaction: parts.get(1) ?? new Uint8Array(), record: parts.get(2) ?? new Uint8Array() }
    })
}

function fieldsOf(bytes: Uint8Array): [number, Uint8Array][] {
  const fields: [number, Uint8Array][] = []
  let offset = 0
  const varint = () => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[offset++] ?? 0
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  while (offset < bytes.length) {
    const tag = varint()
    const length = varint()
    if (tag % 8 === 2) fields.push([tag >> 3, bytes.subarray(offset, offset + length)])
    if (tag % 8 === 2) offset += length
  }
  return fields
}
