import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unpackBlockFile } from '#src/importer/block/unpack-block-file.ts'
import type { BlockRequest, BlockSupply } from '#src/importer/block-sources/block-supply.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'

/** As the simulated network names itself. */
export const simulatedNetwork = 'simulated'
const bytesMax = 1 << 30

/** A block that is unpacked when it is asked for. */
export type PackedBlock = () => SourceBlock

/** All blocks of a network's folder from the first one on, packed as they are there. */
export function readPackedBlocks(folder: string): PackedBlock[] {
  const path = join(folder, simulatedNetwork, 'block')
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.blk.zstd'))
  return files.sort().map((file, index) => {
    const packed = readFileSync(join(path, file))
    const facts = { number: BigInt(index), name: file.replaceAll('/', ''), size: packed.length }
    const origin = { origin: 'memory', headerAt: 0, completeAt: 0 }
    return () => ({ ...facts, ...origin, pieces: [unpackBlockFile(file, packed, bytesMax)] })
  })
}

/** Gives blocks, the first of which has the number 0, one when the one before was taken. */
export function supplyOf(blocks: readonly PackedBlock[], onAsked: (number: number) => void): BlockSupply {
  return {
    description: 'memory',
    async *blocks({ from }: BlockRequest) {
      for (let number = Number(from); number < blocks.length; number++) {
        onAsked(number)
        yield blocks[number]!()
      }
    },
    newest: async () => undefined,
    waitForChange: async () => {},
    fetch: async (number) => blocks[Number(number)]?.(),
    refused: () => false,
    accepted: () => {},
  }
}
