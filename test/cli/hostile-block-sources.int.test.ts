import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { blockPath } from '#src/domain/block-name.ts'
import { readBlock } from '#src/importer/block/read-block.ts'
import { BlockFaults } from '#src/simulator/block-node/faults.ts'
import { itemsResponse, statusDetailResponse, statusResponse } from '#src/simulator/block-node/responses.ts'
import { useBlockNodes } from '#test/adapters/block-node/support.ts'
import { type SmallBlocks, smallBlocks, storeOf } from '#test/importer/block/small-blocks.ts'
import { beginAnswer, flood, framed, serveHttp2 } from '#test/support/grpc-server.ts'
import { bytesField } from '#test/support/protobuf-writer.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { Program } from './support.ts'

// One source of blocks does its worst; the other one is there. Whatever happens, the import goes on, in bounded time and memory.

const count = Number(process.env['LEDGER_TEST_HOSTILE_BLOCKS'] ?? 12)
const mebibyte = 1024 * 1024
/** An importer that does nothing takes some 200. */
const peakMiBMax = 512
const withinMs = 40_000
const escapes = `\u001b[2J\u001b]0;owned\u0007\u202egone\r\nfatal: all is lost`
/** What a terminal would obey, line ends apart. */
const control = /[^\P{Cc}\n]|\p{Cf}/u

const { keep, serve } = useBlockNodes()
const programs: Program[] = []
let given: SmallBlocks
beforeAll(async () => {
  given = await smallBlocks(count)
}, 60_000)
afterEach(async () => {
  for (const program of programs.splice(0)) await program.stop('SIGKILL')
})

async function freshFolder(): Promise<string> {
  const folder = await temporaryFolder()
  keep({ close: () => folder.remove() })
  return folder.path
}

/** Imports all blocks but the last one, whose time ends it; the most memory that it took, MiB, and what it printed. */
async function importAll(args: readonly string[]): Promise<{ peakMiB: number; printed: string; ms: number }> {
  const began = performance.now()
  const data = join(await freshFolder(), 'data')
  const end = new Date(Number(timeOf(given.blocks.at(-1)!) / 1_000_000n) - 1).toISOString()
  const program = new Program(
    [
      ...['import', 'run', '--data', data, '--network', 'simulated', '--source', 'none', '--stream', 'blocks'],
      ...['--end-date', end, ...args],
    ],
    { env: { LEDGER_BLOCKS_BLOCK_TIMEOUT_MS: '1000', LEDGER_BLOCKS_READMIT_MS: '1000', LEDGER_LOG_LEVEL: 'debug' } },
  )
  programs.push(program)
  let peakMiB = 0
  const look = setInterval(() => {
    peakMiB = Math.max(peakMiB, residentMiB(program.child.pid))
  }, 20)
  const late = setTimeout(() => program.child.kill('SIGKILL'), withinMs)
  const { code, out, err } = await program.finished
  clearInterval(look)
  clearTimeout(late)
  expect({ code, err }).toEqual({ code: 0, err: expect.any(String) })
  expect(out).toContain(`Imported ${count - 1} blocks`)
  return { peakMiB, printed: out + err, ms: performance.now() - began }
}

function timeOf(block: Buffer): bigint {
  const source = { number: 0n, name: 'a block', size: undefined, origin: 'here', headerAt: 0, completeAt: 0 }
  return readBlock({ ...source, pieces: [block] }).header.time
}

/** The most so far; 0 where the system does not tell. */
function residentMiB(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

async function expectImported(what: string, args: readonly string[], told: RegExp): Promise<void> {
  const { peakMiB, printed, ms } = await importAll(args)
  console.log(`${what}: ${peakMiB.toFixed(0)} MiB at most, ${(ms / 1_000).toFixed(1)} s`)
  expect(printed).toMatch(told)
  expect(printed).not.toMatch(control)
  expect(peakMiB).toBeLessThan(peakMiBMax)
}

/** A server that says that it has all blocks, and answers a stream so. */
async function hostileNode(answer: (stream: ServerHttp2Stream) => void): Promise<number> {
  const store = storeOf(given.blocks)
  const statuses = { serverStatus: statusResponse, serverStatusDetail: statusDetailResponse }
  const server = await serveHttp2((stream, headers) => {
    const method = String(headers[':path']).split('/').at(-1) as keyof typeof statuses
    const status = Object.hasOwn(statuses, method) ? statuses[method] : undefined
    if (!status) return answer(stream)
    beginAnswer(stream)
    stream.end(framed(status(store)))
  })
  return keep(server).port
}

const nothing = Buffer.alloc(512 * mebibyte)
const bombs = { gzip: gzipSync(nothing), zstd: zstdCompressSync(nothing) }
const endlessItem = framed(itemsResponse(bytesField(1, bytesField(4, Buffer.alloc(4_096)))))
const begun = () => framed(itemsResponse(given.blocks[0]!))

const hostileNodes: readonly (readonly [string, (stream: ServerHttp2Stream) => void, RegExp])[] = [
  [
    'sends a block without end',
    (stream) => {
      beginAnswer(stream)
      stream.write(begun())
      flood(stream, Buffer.concat(Array(16).fill(endlessItem)))
    },
    /sends a block of more than \d+ (bytes|items)|did not send block 0/,
  ],
  [
    'sends a byte now and then',
    (stream) => {
      beginAnswer(stream)
      const bytes = begun()
      let sent = 0
      const timer = setInterval(() => stream.write(bytes.subarray(sent, ++sent)), 1_000)
      stream.once('close', () => clearInterval(timer))
    },
    /did not send block 0 within 1000 ms/,
  ],
  [
    'sends a page',
    (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'text/html' })
      stream.end(`<html>${escapes}</html>`)
    },
    /the answer is text\/html, not gRPC/,
  ],
  [
    'writes escapes into its errors',
    (stream) => {
      const headers = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '13' }
      stream.respond({ ...headers, 'grpc-message': encodeURIComponent(escapes) }, { endStream: true })
    },
    /owned/,
  ],
  [
    'sends what unpacks to more than is allowed',
    (stream) => {
      beginAnswer(stream, { 'grpc-encoding': 'gzip' })
      stream.write(framed(bombs.gzip, true))
    },
    /larger than max unpacked|did not send block 0/,
  ],
]

describe('a block node beside a folder of blocks', () => {
  it.each(hostileNodes)(
    'that %s costs a bounded time and memory, and the folder is read',
    async (what, answer, told) => {
      const folder = await freshFolder()
      for (const [number, block] of given.blocks.entries()) {
        const path = join(folder, 'simulated', 'block', `${blockPath(BigInt(number))}.blk.zstd`)
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, zstdCompressSync(block))
      }
      const port = await hostileNode(answer)
      await expectImported(what, ['--block-nodes', `127.0.0.1:${port}`, '--block-source', folder], told)
    },
    withinMs + 20_000,
  )
})

/** A bucket that has the network's folder, and answers whoever asks for a block so. */
async function hostileBucket(answer: (response: ServerResponse) => void): Promise<string> {
  const folders =
    '<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated><CommonPrefixes><Prefix>simulated/</Prefix></CommonPrefixes></ListBucketResult>'
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    if (request.url?.includes('list-type=2')) response.setHeader('content-type', 'application/xml').end(folders)
    else answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  keep({
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const hostileBuckets: readonly (readonly [string, (response: ServerResponse) => void, RegExp])[] = [
  [
    'sends a file without end',
    (response) => {
      const pump = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) {}
      }
      response.on('drain', pump)
      pump()
    },
    /larger than|more than/,
  ],
  [
    'sends a byte now and then',
    (response) => {
      response.setHeader('content-length', '5000')
      const timer = setInterval(() => response.write('x'), 1_000)
      response.once('close', () => clearInterval(timer))
    },
    /took too long/,
  ],
  [
    'sends a page',
    (response) => response.setHeader('content-type', 'text/html').end(`<html>${escapes}</html>`),
    /block 0|0\.blk/,
  ],
  [
    'writes escapes into its errors',
    (response) => {
      const text = `<Error><Code>Access${escapes}</Code><Message>${escapes}</Message></Error>`
      response.writeHead(403, { 'content-type': 'application/xml' }).end(text)
    },
    /cannot be read|refuse|403/i,
  ],
  [
    'sends what unpacks to more than is allowed',
    (response) => response.end(bombs.zstd),
    /it unpacks to .*more than the limit/,
  ],
]

describe('a bucket beside a block node', () => {
  it.each(hostileBuckets)(
    'that %s costs a bounded time and memory, and the node is asked again',
    async (what, answer, told) => {
      const faults = new BlockFaults()
      faults.always({ kind: 'fail', code: 14, text: 'not yet' })
      const { port } = await serve({ store: storeOf(given.blocks), faults })
      let asked = 0
      const endpoint = await hostileBucket((response) => {
        if (++asked >= 2) faults.clear()
        answer(response)
      })
      const s3 = ['--source-s3-endpoint', endpoint, '--source-s3-timeout-ms', '1000']
      await expectImported(what, ['--block-nodes', `127.0.0.1:${port}`, '--block-source', 's3://blocks', ...s3], told)
    },
    withinMs + 20_000,
  )
})
