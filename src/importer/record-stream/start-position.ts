import { listAfterMarker, markerAt, parseStreamFileName } from '#src/importer/record/file-name.ts'
import type { LastBlock } from '#src/importer/state/last-block.ts'
import type { Logger } from '#src/ports/logger.ts'

export interface StartPosition {
  /** Hash that the next file has to continue; undefined: any file does. */
  readonly anchor: Buffer | undefined
  /** Marker to list after; '' for the beginning of the source. */
  readonly after: string
}

/**
 * Where to go on: after the last block, else behind the start date (ns), else with the first file of the source. A start
 * date behind the last block is how an operator leaves a gap behind: then nothing is there to link to.
 */
export function startPosition(
  lastBlock: LastBlock | undefined,
  startTime: bigint | undefined,
  logger: Logger,
): StartPosition {
  const last = lastBlock ? parseStreamFileName(lastBlock.name)?.instant : undefined
  if (startTime === undefined || (last !== undefined && last >= startTime)) {
    return { anchor: lastBlock?.hash, after: lastBlock ? listAfterMarker(lastBlock.name) : '' }
  }
  if (lastBlock) {
    const fields = { lastBlock: lastBlock.name, startTime: startTime.toString() }
    logger.warn(fields, 'the start date leaves a gap behind the last block')
  }
  return { anchor: undefined, after: markerAt(startTime) }
}
