import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCli } from '#test/bench/cli-process.ts'

export interface LatencyResult {
  readonly blocks: number
  readonly medianMs: number
  readonly maxMs: number
}

const blocksMeasured = 20
const blockSeconds = 0.5
const pollMs = 2
const giveUpMs = 60_000

interface Block {
  readonly name: string
  readonly number: number
}

/** From the moment that a block's last signature file is there until the API's block list shows the block. */
export async function measureLatency(folder: string): Promise<LatencyResult> {
  const data = join(folder, 'live')
  const service = await startCli('start', ['--data', data, '--block-seconds', String(blockSeconds)])
  try {
    const delays: number[] = []
    let last: number | undefined
    for (const started = Date.now(); delays.length < blocksMeasured && Date.now() - started < giveUpMs; ) {
      const [block] = ((await (await fetch(`${service.address}/api/v1/blocks?limit=1`)).json()) as { blocks: Block[] })
        .blocks
      const seen = Date.now()
      // The first one was written before anybody looked.
      if (block && last !== undefined && block.number !== last)
        delays.push(seen - completedAt(join(data, 'network'), block))
      last = block?.number ?? last
      await sleep(pollMs)
    }
    return delaysOf(delays)
  } finally {
    await service.stop()
  }
}

/** Of milliseconds, one for each block. */
export function delaysOf(delays: readonly number[]): LatencyResult {
  const sorted = delays.toSorted((a, b) => a - b)
  return {
    blocks: sorted.length,
    medianMs: Math.round(sorted[sorted.length >> 1] ?? 0),
    maxMs: Math.round(sorted.at(-1) ?? 0),
  }
}

/** Milliseconds since the epoch at which the last node's signature file was complete. */
function completedAt(network: string, { name }: Block): number {
  const streams = join(network, 'recordstreams')
  const signature = name.replace(/\.rcd\.gz$/, '.rcd_sig')
  return Math.max(...readdirSync(streams).map((node) => statSync(join(streams, node, signature)).mtimeMs))
}
