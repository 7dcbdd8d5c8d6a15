import type { SimulatedBlock } from '#src/simulator/block-files.ts'
import type { SystemBalances } from '#src/simulator/blocks/account-values.ts'
import { BlockChain, type BlockChainState } from '#src/simulator/blocks/block-chain.ts'
import type { BlockFamilies } from '#src/simulator/blocks/block-families.ts'
import { type BlockItemBytes, blockItem } from '#src/simulator/blocks/block-item.ts'
import { packedBlockName } from '#src/simulator/blocks/block-name.ts'
import { BlockPublisher, type UnsignedBlock } from '#src/simulator/blocks/block-publisher.ts'
import type { BlockSigner } from '#src/simulator/blocks/block-signer.ts'
import { closingStateItems, genesisStateItems, stateSignatureItem } from '#src/simulator/blocks/boundary-items.ts'
import { OpenBlock } from '#src/simulator/blocks/open-block.ts'
import { layRounds } from '#src/simulator/blocks/rounds.ts'
import { type WrappedFile, wrappedBlock } from '#src/simulator/blocks/wrapped-block.ts'
import type { ResolvedOptions } from '#src/simulator/resolved-options.ts'
import { semanticVersion } from '#src/simulator/semantic-version.ts'
import type { SimulatedFile } from '#src/simulator/simulated-file.ts'
import type { Instant } from '#src/simulator/time.ts'

/** What the next block depends on besides the ledger; survives JSON. */
export interface BlockStreamState {
  readonly chain: BlockChainState
  readonly nextRound: number
  readonly balances: SystemBalances
  readonly unsigned: readonly UnsignedBlock[]
}

export interface BlockPlan {
  readonly number: number
  /** Start of the period that the block covers. */
  readonly start: Instant
  readonly families: BlockFamilies['families']
  readonly transactionCount: number
  /** The greatest number of an entity so far. */
  readonly newestEntity: number
}

/** Writes blocks that follow each other. */
export class BlockStream {
  /** Of the network's own accounts; whoever brings transactions to consensus keeps them up to date. */
  readonly balances: SystemBalances
  readonly #options: ResolvedOptions
  readonly #chain: BlockChain
  readonly #publisher: BlockPublisher | undefined
  #nextRound: number

  /** Without a signer it only wraps record files. */
  constructor(options: ResolvedOptions, signer: BlockSigner | undefined, saved?: BlockStreamState) {
    this.#options = options
    this.#chain = new BlockChain(options.hashRule, saved?.chain)
    this.#publisher = signer && new BlockPublisher(options, signer, saved?.unsigned)
    this.#nextRound = saved?.nextRound ?? 1
    this.balances = { ...saved?.balances }
  }

  get save(): BlockStreamState {
    return {
      chain: this.#chain.save,
      nextRound: this.#nextRound,
      balances: { ...this.balances },
      unsigned: this.#publisher?.unsigned ?? [],
    }
  }

  /** A record file in the form of a block: the first ones of a network that changes over. */
  wrap(file: WrappedFile): SimulatedFile {
    return wrappedBlock(this.#options, this.#chain, file)
  }

  /** The next block; without files when it is published with a later one. */
  write(plan: BlockPlan): SimulatedBlock {
    if (!this.#publisher) throw new TypeError('a stream of wrapped record files has no blocks of its own')
    const block = new OpenBlock(plan.start)
    for (const item of this.#items(plan)) block.add(item)
    const closed = this.#chain.append(block)
    const files = this.#publisher.publish(plan.number, closed)
    return {
      stream: 'blocks',
      name: packedBlockName(plan.number),
      number: plan.number,
      transactionCount: plan.transactionCount,
      size: closed.bytes.length,
      files,
    }
  }

  #items(plan: BlockPlan): BlockItemBytes[] {
    const { nodes, blockSeconds } = this.#options
    const { items, nextRound } = layRounds({
      families: plan.families,
      start: plan.start,
      blockNanos: blockSeconds * 1e9,
      firstRound: this.#nextRound,
      nodes,
      ...this.#ownItems(plan.number),
    })
    this.#nextRound = nextRound
    const last = plan.families.at(-1)?.last ?? plan.start
    return [headerItem(this.#options, plan), ...items, ...closingStateItems(last, plan.newestEntity)]
  }

  /** What the network has to say for itself: how it begins, and later which state its nodes signed. */
  #ownItems(number: number) {
    const round = this.#nextRound - 1
    if (round === 0 && number === this.#options.firstBlockNumber)
      return { opening: (node: number) => (node === 0 ? genesisStateItems() : []), between: [] }
    const { seed } = this.#options
    const signed = (node: number) => stateSignatureItem({ node, round, stateRoot: this.#chain.startStateRoot, seed })
    return { opening: (node: number) => (node === 0 ? [] : [signed(node)]), between: [signed(0)] }
  }
}

function headerItem({ blockVersion }: ResolvedOptions, { number, start }: BlockPlan): BlockItemBytes {
  const version = semanticVersion(blockVersion)
  return blockItem('blockHeader', {
    hapiProtoVersion: version,
    softwareVersion: version,
    ...(number === 0 ? {} : { number }),
    blockTimestamp: start,
  })
}
