import type { SimulatedBlock } from '#src/simulator/block-files.ts'
import type { SimulatedNetwork } from '#src/simulator/network.ts'

/** So many more blocks of a network, one after the other. */
export async function nextBlocks(network: SimulatedNetwork, count: number): Promise<SimulatedBlock[]> {
  const blocks: SimulatedBlock[] = []
  for (let made = 0; made < count; made++) blocks.push(await network.nextBlock())
  return blocks
}
