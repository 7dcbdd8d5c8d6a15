import zlib from 'node:zlib'
import type { experimental, Metadata, StatusObject } from '@grpc/grpc-js'

type Filter = InstanceType<typeof experimental.BaseFilter>
type Write = Awaited<Parameters<Filter['sendMessage']>[0]>
type Unpack = (packed: Buffer, bytesMax: number) => Promise<Buffer>

const prefixBytes = 5
const chunkSize = 128 * 1024
const statusCodes = { resourceExhausted: 8, unimplemented: 12, internal: 13 } as const

const unpackings: Readonly<Record<string, Unpack>> = {
  gzip: (packed, maxOutputLength) => called((done) => zlib.gunzip(packed, { maxOutputLength, chunkSize }, done)),
  deflate: (packed, maxOutputLength) => called((done) => zlib.inflate(packed, { maxOutputLength, chunkSize }, done)),
  // Node has it since 22.15; what cannot be read is never offered.
  ...(typeof zlib.zstdDecompress === 'function' ? { zstd: unzstd } : {}),
}

/** What we can read, as a client says it. */
const offeredEncodings = ['identity', ...Object.keys(unpackings)].join(',')

/**
 * Frames messages, and unpacks those that come packed, none beyond the limit. It takes the place of the library's own filter,
 * which knows no zstd and takes no other.
 */
export class MessageFilter implements Filter {
  readonly #bytesMax: number
  #encoding = 'identity'

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  async sendMetadata(sending: Promise<Metadata>): Promise<Metadata> {
    const metadata = await sending
    metadata.set('grpc-accept-encoding', offeredEncodings)
    return metadata
  }

  receiveMetadata(metadata: Metadata): Metadata {
    this.#encoding = String(metadata.get('grpc-encoding')[0] ?? 'identity')
    return metadata
  }

  async sendMessage(sending: Promise<Write>): Promise<Write> {
    const write = await sending
    const prefix = Buffer.alloc(prefixBytes)
    prefix.writeUInt32BE(write.message.length, 1)
    return { ...write, message: Buffer.concat([prefix, write.message]) }
  }

  /** Rejects with a status, as the library wants it. */
  async receiveMessage(receiving: Promise<Buffer>): Promise<Buffer> {
    const framed = await receiving
    const message = framed.subarray(prefixBytes)
    if (framed[0] === 0) return message
    const unpack = Object.hasOwn(unpackings, this.#encoding) ? unpackings[this.#encoding] : undefined
    if (!unpack) throw statusOf(statusCodes.unimplemented, `a message is packed in a way that was not offered`)
    try {
      return await unpack(message, this.#bytesMax)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') {
        throw statusOf(statusCodes.internal, `a message cannot be unpacked: ${(error as Error).message}`)
      }
      throw statusOf(statusCodes.resourceExhausted, `${tooLargeText} unpacked (limit ${this.#bytesMax})`)
    }
  }

  receiveTrailers(status: StatusObject): StatusObject {
    return status
  }
}

/** What stands in a status that our own limits gave: the library's beginning, for the packed size. */
export const tooLargeText = 'Received message larger than max'

function statusOf(code: number, details: string): { readonly code: number; readonly details: string } {
  return { code, details }
}

function unzstd(packed: Buffer, maxOutputLength: number): Promise<Buffer> {
  // A window larger than all that may come out of it would only be memory for a hostile node to take.
  const windowBits = Math.min(27, Math.max(23, Math.ceil(Math.log2(maxOutputLength))))
  const params = { [zlib.constants.ZSTD_d_windowLogMax]: windowBits }
  return called((done) => zlib.zstdDecompress(packed, { maxOutputLength, chunkSize, params }, done))
}

function called(start: (done: (error: Error | null, unpacked: Buffer) => void) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => start((error, unpacked) => (error ? reject(error) : resolve(unpacked))))
}
