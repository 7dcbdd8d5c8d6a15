import { commandCountsLength } from '#src/http/status-commands.ts'
import { type WaitCounts, waitCounts } from '#src/http/waits.ts'
import { Instant } from '#src/runtime/serve/instant.ts'
import { requestCountsLength } from '#src/runtime/watch/request-shares.ts'

/** What threads that answer requests count together, so that bounds and rates hold for the process, whichever of them is asked. */
export interface ServingCounts {
  /** How far each thread has come. */
  readonly starts: Int32Array
  /** Requests that are being answered, by thread. */
  readonly atOnce: Int32Array
  /** Requests that wait for a time. */
  readonly waits: WaitCounts
  /** How those of the last minute went. */
  readonly requests: Uint32Array
  /** Commands to the status page within this minute, by the name of the token. */
  readonly commands: Uint32Array
  /** What their answers are as of. */
  readonly instant: BigInt64Array
}

/** For as many threads, in memory that a message to a thread shares rather than copies. */
export function servingCounts(threads = 1): ServingCounts {
  return {
    starts: perThread(threads),
    atOnce: perThread(threads),
    waits: waitCounts(threads),
    requests: sharedCounts(requestCountsLength),
    commands: sharedCounts(commandCountsLength),
    instant: Instant.cells(),
  }
}

function perThread(threads: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(threads * Int32Array.BYTES_PER_ELEMENT))
}

function sharedCounts(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * Uint32Array.BYTES_PER_ELEMENT))
}
