import type { Config } from '#src/config/schema.ts'
import type { BlockNodeFault } from '#src/config/sections/source.ts'
import type { Logger } from '#src/ports/logger.ts'
import { type BlockFault, BlockFaults } from '#src/simulator/block-node/faults.ts'
import { FolderBlocks } from '#src/simulator/block-node/folder-blocks.ts'
import { type ServedBlocks, serveBlocks } from '#src/simulator/block-node/serve-blocks.ts'
import type { SimulatorOptions } from '#src/simulator/options.ts'

export const simulatedHost = '127.0.0.1'

export interface SimulatedBlockNodes {
  /** To be told when a block was written. */
  added(): void
  close(): Promise<void>
}

export interface SimulatedBlockNodesOptions {
  readonly config: Pick<Config, 'simulation'>
  /** Of the network. */
  readonly folder: string
  readonly options: Pick<SimulatorOptions, 'network'>
  readonly logger: Logger
}

/** Lets block nodes serve the blocks of the simulated network's folder. One whose port is taken is told, and not there. */
export async function serveSimulatedBlocks(given: SimulatedBlockNodesOptions): Promise<SimulatedBlockNodes> {
  const { config, folder, options, logger } = given
  const { blockNodePorts, blockNodeFaults } = config.simulation
  const store = new FolderBlocks(folder, options.network ?? 'simulated')
  const nodes: ServedBlocks[] = []
  for (const [index, port] of blockNodePorts.entries()) {
    const faults = new BlockFaults()
    if (index === 0) for (const one of blockNodeFaults) faults.at(one.block, faultOf(one))
    try {
      nodes.push(await serveBlocks({ store, host: simulatedHost, port, faults }))
      logger.info({ port }, 'a simulated block node serves blocks')
    } catch (error) {
      const step = 'choose other ones with --block-node-ports'
      logger.warn({ port, err: error }, `a simulated block node cannot listen, and will be missing; ${step}`)
    }
  }
  return {
    added: () => store.added(),
    close: async () => {
      await Promise.all(nodes.map((node) => node.close()))
    },
  }
}

function faultOf({ fault, bytes }: BlockNodeFault): BlockFault {
  return fault === 'large_block' || fault === 'large_message' ? { kind: fault, bytes } : { kind: fault }
}
