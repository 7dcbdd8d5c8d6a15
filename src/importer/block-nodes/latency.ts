import { findBlockHeader } from '#src/domain/block-header.ts'
import type { BlockNodesSettings } from '#src/importer/block-nodes/settings.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'

const newShare = 0.3
const nanosecondsPerMillisecond = 1_000_000n

type LatencySettings = Pick<BlockNodesSettings, 'latencyMsMax' | 'latencyAgeMsMax'>

/** How long after its time a node's blocks arrive: an exponential moving average, for as long as it is fresh. */
export class Latency {
  readonly #settings: LatencySettings
  #meanMs: number | undefined
  #measuredAt = Number.NEGATIVE_INFINITY

  constructor(settings: LatencySettings) {
    this.#settings = settings
  }

  /** Takes a block that arrived when the node sent it, and that was asked for before. */
  add(block: SourceBlock, now: number): void {
    const sampleMs = latencyOf(block)
    if (sampleMs === undefined || sampleMs > this.#settings.latencyMsMax) return
    const meanMs = this.at(now)
    this.#meanMs = meanMs === undefined ? sampleMs : newShare * sampleMs + (1 - newShare) * meanMs
    this.#measuredAt = now
  }

  /** Milliseconds; undefined where nothing recent is known. Below 0 where clocks differ, which harms no comparison. */
  at(now: number): number | undefined {
    return now - this.#measuredAt <= this.#settings.latencyAgeMsMax ? this.#meanMs : undefined
  }

  clear(): void {
    this.#meanMs = undefined
  }
}

function latencyOf({ number, pieces, headerAt }: SourceBlock): number | undefined {
  const header = pieces[0] && findBlockHeader(pieces[0])
  if (header?.number !== number) return undefined
  return headerAt - Number(header.time / nanosecondsPerMillisecond)
}
