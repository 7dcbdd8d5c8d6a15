import type { Engines } from '#src/cli/engines.ts'
import type { Config } from '#src/config/schema.ts'
import type { Logger } from '#src/ports/logger.ts'
import { copyTopics } from '#src/runtime/copies/copy-topics.ts'
import { defaultProjectorLimits } from '#src/runtime/fold/projector-limits.ts'
import type { OutputProgress } from '#src/runtime/outputs/output-publisher.ts'

/** A batch of copies is in memory beside the block that is imported. */
const bytesMax = 4 << 20

export interface LogCopyOptions {
  readonly config: Pick<Config, 'output'>
  readonly engines: Engines
  readonly generation: number
  readonly logger: Logger
  readonly signal: AbortSignal
  readonly onProgress: (progress: OutputProgress) => void
}

/** An importer that lost its right to write ends well within it, and its copies with it. */
const fencedRestMs = 10_000

/** Copies of a log generation that are made as long as somebody imports into it. */
export class LogCopy {
  readonly #finish = new AbortController()
  readonly #stop = new AbortController()
  readonly #ended: Promise<void>

  constructor({ config, engines, generation, logger, signal, onProgress }: LogCopyOptions) {
    const { copies: topics, batchEventsMax: eventsMax } = config.output
    const { retryMinMs, retryMaxMs } = defaultProjectorLimits
    const { removeOutput } = engines
    const options = {
      ...{ topics, eventsMax, bytesMax, retryMinMs, retryMaxMs, fencedRestMs, logger, onProgress },
      openSource: () => engines.openLog(generation),
      openTopic: (topic: (typeof topics)[number]) => engines.openLog(generation, 'write', topic),
      removeTopic: removeOutput && ((topic: (typeof topics)[number]) => removeOutput(topic, generation)),
      signal: AbortSignal.any([signal, this.#stop.signal]),
      finish: this.#finish.signal,
    }
    this.#ended = topics.length === 0 ? Promise.resolve() : copyTopics(options)
  }

  /** Resolves when what is on the log is copied; at once where nothing is left of the right to write it. */
  async end({ whole }: { readonly whole: boolean }): Promise<void> {
    if (whole) this.#finish.abort()
    else this.#stop.abort()
    await this.#ended
  }
}
