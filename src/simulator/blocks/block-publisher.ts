import { constants, zstdCompressSync } from 'node:zlib'
import { blockItem, rawField } from '#src/simulator/blocks/block-item.ts'
import { bucketPath } from '#src/simulator/blocks/block-name.ts'
import type { BlockSigner } from '#src/simulator/blocks/block-signer.ts'
import type { ClosedBlock } from '#src/simulator/blocks/open-block.ts'
import { type BlockLink, linkOf, stateProof } from '#src/simulator/blocks/state-proof.ts'
import type { Message } from '#src/simulator/codec.ts'
import type { ResolvedOptions } from '#src/simulator/resolved-options.ts'
import type { SimulatedFile } from '#src/simulator/simulated-file.ts'

/** A block that waits for a later one to be proven by; survives JSON. */
export interface UnsignedBlock {
  readonly number: number
  /** Hex. */
  readonly hash: string
  /** Base64 of all but its proof. */
  readonly bytes: string
  readonly link: BlockLink
}

/** Of so many blocks some are left unsigned, in a row and away from the first. */
const provenPeriod = 8
const unsignedFrom = 4
const signedFrom = 7
const compressionLevel = 3

/** Gives blocks their proofs, and says which files they are then. */
export class BlockPublisher {
  readonly #options: ResolvedOptions
  readonly #signer: BlockSigner
  #unsigned: UnsignedBlock[]

  constructor(options: ResolvedOptions, signer: BlockSigner, unsigned: readonly UnsignedBlock[] = []) {
    this.#options = options
    this.#signer = signer
    this.#unsigned = [...unsigned]
  }

  get unsigned(): readonly UnsignedBlock[] {
    return this.#unsigned
  }

  /** Nothing where the block waits. A signed one comes first: with it the others can be made again. */
  publish(number: number, block: ClosedBlock): SimulatedFile[] {
    const link = linkOf(block.parts, this.#options.hashRule)
    if (this.#isLeftUnsigned(number)) {
      const bytes = block.bytes.toString('base64')
      this.#unsigned.push({ number, hash: block.hash.toString('hex'), bytes, link })
      return []
    }
    const signature = this.#signer.sign(block.hash)
    const links = [...this.#unsigned.map((each) => each.link), link]
    const proven = this.#unsigned.map(({ number: earlier, hash, bytes }, index) => {
      const blockStateProof = stateProof(Buffer.from(hash, 'hex'), links.slice(index + 1), signature)
      return blockFile(this.#options, earlier, Buffer.from(bytes, 'base64'), { blockStateProof })
    })
    this.#unsigned = []
    const signedBlockProof = { blockSignature: signature }
    return [blockFile(this.#options, number, block.bytes, { signedBlockProof }), ...proven]
  }

  #isLeftUnsigned(number: number): boolean {
    const place = (number - this.#options.firstBlockNumber) % provenPeriod
    return this.#options.stateProofs && place >= unsignedFrom && place < signedFrom
  }
}

/** The file of a block: what it holds, and its proof. */
export function blockFile(options: ResolvedOptions, number: number, bytes: Uint8Array, proof: Message): SimulatedFile {
  const blockProof = blockItem('blockProof', { ...(number === 0 ? {} : { block: number }), ...proof })
  const whole = Buffer.concat([bytes, rawField(1, blockProof)])
  const params = { [constants.ZSTD_c_compressionLevel]: compressionLevel }
  return { path: bucketPath(options.network, number), bytes: zstdCompressSync(whole, { params }) }
}
