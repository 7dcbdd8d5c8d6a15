import { constants, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { loadBlockNodeClient } from '#src/adapters/block-node/open-block-node.ts'
import { type BlockNodeOptions, blockNodeDefaults } from '#src/adapters/block-node/options.ts'
import type { BlockNode } from '#src/ports/block-node.ts'
import { BlockFaults } from '#src/simulator/block-node/faults.ts'
import { endResponse, itemsResponse } from '#src/simulator/block-node/responses.ts'
import { collect, failureOf, useBlockNodes } from '#test/adapters/block-node/support.ts'
import { beginAnswer, flood, framed, type OwnServer, serveHttp2, serveTcp } from '#test/support/grpc-server.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'
import { SampleStore, sampleBlock } from '#test/support/sample-blocks.ts'

const { keep, serve, open } = useBlockNodes()

const mebibyte = 1024 * 1024
const quick: Partial<BlockNodeOptions> = { statusTimeoutMs: 300, blockTimeoutMs: 1_000, connectTimeoutMs: 500 }
const block = sampleBlock({ number: 0n })

/** A client of a server that answers streams so. */
async function nodeOf(
  answer: (stream: ServerHttp2Stream) => void,
  options: Partial<BlockNodeOptions> = {},
): Promise<BlockNode> {
  return openTo(await serveHttp2(answer), options)
}

async function openTo(server: OwnServer, options: Partial<BlockNodeOptions> = {}): Promise<BlockNode> {
  return open(keep(server).port, { ...quick, ...options })
}

const streaming = (node: BlockNode) => failureOf(collect(node.subscribe({ from: 0n })))

/** What the memory grew by, mebibytes, with what can be collected left in. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 10)
  await work()
  clearInterval(watch)
  return (Math.max(most, process.memoryUsage().rss) - before) / mebibyte
}

describe('a node that is none', () => {
  it('answers with a page', async () => {
    const page = 'HTTP/1.1 400 Bad Request\r\ncontent-type: text/html\r\n\r\n<html>no\u001b[31m</html>'
    const node = await openTo(await serveTcp((socket) => socket.end(page)))
    for (const failing of [node.status(), collect(node.subscribe({ from: 0n })), node.fetch(0n)]) {
      expect((await failureOf(failing)).details.reason).toBe('unreachable')
    }
  })

  it('answers with a page over HTTP/2', async () => {
    const node = await nodeOf((stream) => {
      stream.respond({ ':status': 200, 'content-type': 'text/html' })
      stream.end('<html>'.repeat(1_000))
    })
    const error = await failureOf(node.status())
    expect(error.details.reason).toBe('refused')
    expect(error.message).toContain('the answer is text/html, not gRPC')
  })

  it('says nothing', async () => {
    const node = await openTo(await serveTcp(() => {}))
    expect((await failureOf(node.status())).details.reason).toBe('timeout')
    const error = await streaming(node)
    expect(error.details.reason).toBe('unreachable')
    expect(error.message).toContain('no connection within 500 ms')
  })

  it('has a name that nobody knows, or was closed', async () => {
    const client = await loadBlockNodeClient({ ...blockNodeDefaults, statusTimeoutMs: 20_000 })
    const nowhere = { host: 'nowhere.invalid', port: 1, tls: false }
    const node = keep(client({ status: nowhere, stream: nowhere }))
    const error = await failureOf(node.status())
    expect(error.details).toEqual({ node: 'nowhere.invalid:1', reason: 'unreachable' })
    expect(error.message).toContain('Name resolution failed')
    await node.close()
    expect((await failureOf(node.status())).message).toContain('the node was closed')
  })
})

describe('a node that answers without end', () => {
  it('sends a byte now and then', async () => {
    const node = await nodeOf((stream) => {
      beginAnswer(stream)
      const bytes = framed(itemsResponse(block))
      let sent = 0
      const timer = setInterval(() => stream.write(bytes.subarray(sent, ++sent)), 100)
      stream.once('close', () => clearInterval(timer))
    })
    const error = await streaming(node)
    expect(error.details.reason).toBe('timeout')
    expect(error.message).toContain('did not send block 0 within 1000 ms; another node is asked')
  })

  it('announces 4 GiB', async () => {
    const node = await nodeOf((stream) => {
      beginAnswer(stream)
      stream.write(Buffer.from([0, 0xff, 0xff, 0xff, 0xff]))
    })
    for (const failing of [node.status(), collect(node.subscribe({ from: 0n })), node.fetch(0n)]) {
      expect((await failureOf(failing)).details.reason).toBe('too_large')
    }
  })

  it('sends a message in crumbs', async () => {
    const node = await openTo(await serveTcp(sendCrumbs), { blockTimeoutMs: 30_000 })
    const growth = await growthOf(async () => {
      const error = await streaming(node)
      expect(error.details.reason).toBe('protocol')
      expect(error.message).toMatch(/sends a message in crumbs .* bytes in 1\d{4} frames/)
    })
    expect(growth).toBeLessThan(64)
  })

  it('sends sets without items, or ends without blocks', async () => {
    for (const message of [itemsResponse(Buffer.alloc(0)), endResponse(0n)]) {
      const node = await nodeOf((stream) => {
        beginAnswer(stream)
        flood(stream, Buffer.concat(Array(100).fill(framed(message))))
      })
      const error = await streaming(node)
      expect(error.message).toContain('sends more than 1000 messages without use')
    }
  })

  it('sends a block without end', async () => {
    const set = framed(itemsResponse(bytesField(1, bytesField(4, Buffer.alloc(1_000)))))
    const endless = (stream: ServerHttp2Stream) => {
      beginAnswer(stream)
      stream.write(framed(itemsResponse(block)))
      flood(stream, Buffer.concat(Array(16).fill(set)))
    }
    const bytes = await streaming(await nodeOf(endless, { blockBytesMax: mebibyte }))
    expect(bytes.details.reason).toBe('too_large')
    expect(bytes.message).toContain('sends a block of more than 1048576 bytes')
    const items = await streaming(await nodeOf(endless, { blockItemsMax: 1_000 }))
    expect(items.message).toContain('sends a block of more than 1000 items')
  })
})

describe('messages that come packed', () => {
  const packings = { gzip: zlib.gzipSync, deflate: zlib.deflateSync, zstd: zlib.zstdCompressSync }
  const packed = (encoding: string, ...messages: Buffer[]) =>
    nodeOf((stream) => {
      beginAnswer(stream, { 'grpc-encoding': encoding })
      for (const message of messages) stream.write(message)
      stream.end()
    })

  it.each(Object.entries(packings))('are read: %s', async (encoding, pack) => {
    const messages = [itemsResponse(block), endResponse(0n)].map((message) => framed(pack(message), true))
    const blocks = await collect((await packed(encoding, ...messages)).subscribe({ from: 0n }))
    expect(blocks.map(({ pieces }) => Buffer.concat(pieces))).toEqual([block])
  })

  it.each(Object.entries(packings))(
    'are refused where they unpack to more than is allowed: %s',
    async (encoding, pack) => {
      const bomb = pack(Buffer.alloc(512 * mebibyte))
      expect(bomb.length).toBeLessThan(mebibyte)
      const node = await packed(encoding, framed(bomb, true))
      const growth = await growthOf(async () => {
        const error = await streaming(node)
        expect(error.details.reason).toBe('too_large')
        expect(error.message).toContain('Received message larger than max unpacked (limit 37748736)')
      })
      expect(growth).toBeLessThan(160)
    },
  )

  it('are offered to be read so, and no other way', async () => {
    let offered: unknown
    const server = await serveHttp2((stream, headers) => {
      offered = headers['grpc-accept-encoding']
      beginAnswer(stream, { 'grpc-encoding': 'br' })
      stream.end(framed(zlib.brotliCompressSync(block), true))
    })
    const error = await streaming(await openTo(server))
    expect(offered).toBe('identity,gzip,deflate,zstd')
    expect(error.message).toContain('a message is packed in a way that was not offered')
    const damaged = await streaming(await packed('zstd', framed(Buffer.from('not packed'), true)))
    expect(damaged.message).toContain('a message cannot be unpacked')
  })
})

describe('a node that breaks the rules', () => {
  const rules: [string, Buffer[], string, string][] = [
    [
      'begins without a header',
      [itemsResponse(bytesField(1, bytesField(4)))],
      'protocol',
      'begins a block with something else than its header',
    ],
    [
      'begins again',
      [itemsResponse(block), itemsResponse(block)],
      'protocol',
      'begins a block before the end of the one before it',
    ],
    [
      'begins again within a set',
      [itemsResponse(Buffer.concat([block, block]))],
      'protocol',
      'begins a block before the end of the one before it',
    ],
    ['refuses', [varintField(1, 6)], 'refused', 'ended the stream with 6 (not available)'],
    ['refuses in a way unheard of', [varintField(1, 77)], 'refused', 'ended the stream with 77 (not known)'],
    ['says nothing known', [bytesField(9)], 'protocol', 'a message of a stream is of no known kind'],
    [
      'says two things',
      [Buffer.concat([endResponse(0n), varintField(1, 1)])],
      'protocol',
      'a message of a stream says two things',
    ],
    [
      'sends garbage',
      [Buffer.from('ffffffffff', 'hex')],
      'protocol',
      'a tag or length at byte 5 is longer than 5 bytes',
    ],
    [
      'sends a set of garbage',
      [itemsResponse(Buffer.from('0aff', 'hex'))],
      'protocol',
      'it ends within a number at byte 2',
    ],
    [
      'sends a set of something else',
      [itemsResponse(bytesField(2))],
      'protocol',
      'sends a set with the field 2, which is no item',
    ],
    ['ends in the middle', [itemsResponse(block)], 'cut', 'ended the stream within a block'],
  ]

  it.each(rules)('%s', async (_, messages, reason, text) => {
    const node = await nodeOf((stream) => {
      beginAnswer(stream)
      for (const message of messages) stream.write(framed(message))
      stream.end()
    })
    const error = await streaming(node)
    expect(error.details.reason).toBe(reason)
    expect(error.message).toContain(text)
  })

  it('writes escapes into its errors', async () => {
    const faults = new BlockFaults()
    faults.always({ kind: 'fail', code: 13, text: `\u001b[2J\u202egone\r\nGET / ${'x'.repeat(5_000)}` })
    const node = await open((await serve({ store: new SampleStore().fill(0n, 0n), faults })).port)
    for (const failing of [collect(node.subscribe({ from: 0n })), node.fetch(0n)]) {
      const { message } = await failureOf(failing)
      expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      expect(message.length).toBeLessThan(400)
      expect(message).toContain('\u{fffd}[2J')
    }
  })

  it('pushes what nobody asked for', async () => {
    const resets: Buffer[] = []
    const pushing = await serveTcp((socket) =>
      speakHttp2(socket, () => {
        // GET / of http://a, in words of the static table
        const promise = Buffer.concat([uint32(2), Buffer.from([0x82, 0x84, 0x86, 0x41, 1]), Buffer.from('a')])
        socket.write(Buffer.concat([frame(frameTypes.pushPromise, 4, 1, promise), frame(frameTypes.headers, 4, 2, ok)]))
        socket.on('data', (bytes) => resets.push(bytes))
      }),
    )
    expect((await streaming(await openTo(pushing))).details.reason).toBe('timeout')
    const reset = frame(frameTypes.reset, 0, 2, uint32(constants.NGHTTP2_CANCEL))
    expect(Buffer.concat(resets).includes(reset)).toBe(true)
  })
})

const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4, pushPromise: 5 } as const
/** Status 200 of type application/grpc. */
const ok = Buffer.concat([Buffer.from([0x88, 0x40]), literal('content-type'), literal('application/grpc')])

/** The answer begins a message of 36 MiB and goes on in frames of one byte. */
function sendCrumbs(socket: Socket): void {
  speakHttp2(socket, () => {
    socket.write(frame(frameTypes.headers, 4, 1, ok))
    socket.write(frame(frameTypes.data, 0, 1, Buffer.from([0, 0x02, 0x3f, 0xff, 0xff])))
    // As many as the window holds before it is opened further.
    socket.write(Buffer.concat(Array(60_000).fill(frame(frameTypes.data, 0, 1, Buffer.alloc(1)))))
  })
}

/** HTTP/2 by hand: settings, and the acknowledgement of the first ones; calls back when the first request is there. */
function speakHttp2(socket: Socket, onRequest: () => void): void {
  socket.write(frame(frameTypes.settings, 0, 0, Buffer.alloc(0)))
  socket.once('data', () => {
    socket.write(frame(frameTypes.settings, 1, 0, Buffer.alloc(0)))
    setTimeout(onRequest, 200)
  })
}

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const length = uint32(payload.length).subarray(1)
  return Buffer.concat([length, Buffer.from([type, flags]), uint32(stream), payload])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function literal(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
}
