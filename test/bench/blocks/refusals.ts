import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createZstdCompress, type ZstdOptions } from 'node:zlib'
import { blockNodeDefaults } from '#src/adapters/block-node/options.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { unpackBlockFile } from '#src/importer/block/unpack-block-file.ts'
import type { StageResult } from '#test/bench/stages.ts'

const pieceBytes = 1 << 20
const refusals = 100
const { blockBytesMax } = blockNodeDefaults

/** Block files that unpack to more than is allowed, refused: how long one takes that says how large it is. */
export async function blockRefusals(): Promise<StageResult> {
  const bytes = 8 * blockBytesMax
  const packed = await packZeros(bytes, { pledgedSrcSize: bytes })
  const started = performance.now()
  const cpu = process.cpuUsage()
  for (let count = 0; count < refusals; count++) assertRefused(packed)
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - started) / 1_000
  const untold = await packZeros(bytes)
  const began = performance.now()
  assertRefused(untold)
  const note = `one that does not say how large it is: ${Math.round(performance.now() - began)} ms`
  return { count: refusals, seconds, cpuSeconds: (user + system) / 1e6, note }
}

function assertRefused(packed: Buffer): void {
  try {
    unpackBlockFile('a block of the bench', packed, blockBytesMax)
  } catch (error) {
    if (isLedgerError(error, 'file_malformed')) return
    throw error
  }
  throw new Error('a block above the limit was unpacked')
}

/** So many bytes, packed with zstd. */
function packZeros(bytes: number, options: ZstdOptions = {}): Promise<Buffer> {
  const piece = Buffer.alloc(pieceBytes)
  const pieces = Readable.from(Array.from({ length: bytes / pieceBytes }, () => piece))
  return buffer(pieces.pipe(createZstdCompress(options)))
}
