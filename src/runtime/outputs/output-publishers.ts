import type { OutputName } from '#src/events/event-types.ts'
import type { NamedInstance } from '#src/operations/plan.ts'
import type { Logger } from '#src/ports/logger.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import {
  type CommittedRows,
  type OutputLimits,
  type OutputProgress,
  OutputPublisher,
} from '#src/runtime/outputs/output-publisher.ts'

/** What a deployment publishes of its read models. */
export interface OutputOptions {
  /** Opens the topic of an output that goes with a log generation, for writing. */
  readonly open: (topic: OutputName, generation: number) => Promise<MessageLog>
  /** Removes it; absent where that is not ours to do. */
  readonly remove?: (topic: OutputName, generation: number) => Promise<void>
  readonly batchEventsMax: number
  readonly onProgress?: (progress: OutputProgress) => void
}

export interface PublishedInstance extends Pick<OutputLimits, 'retryMinMs' | 'retryMaxMs'> {
  readonly projection: AnyProjection
  readonly instance: Pick<NamedInstance, 'generation'>
  readonly store: Pick<ReadStore, 'openReader'>
  readonly outputs: OutputOptions | undefined
  readonly isDue: () => boolean
  readonly toEnd: boolean
  readonly logger: Logger
}

/** The outputs of one instance of a read model, published beside its fold as long as it is kept up to date here. */
export class OutputPublishers {
  #publishers: readonly OutputPublisher[] = []

  constructor({ projection, instance, outputs, retryMinMs, retryMaxMs, ...options }: PublishedInstance) {
    if (outputs === undefined) return
    const { open, remove, batchEventsMax, onProgress = () => undefined } = outputs
    const limits = { batchEventsMax, retryMinMs, retryMaxMs }
    const { schema } = projection
    this.#publishers = projection.outputs.map((output) => {
      const openLog = () => open(output.topic, instance.generation)
      const removeLog = remove && (() => remove(output.topic, instance.generation))
      return new OutputPublisher({ ...options, output, schema, openLog, remove: removeLog, limits, onProgress })
    })
  }

  get problem(): string | undefined {
    return this.#publishers.find(({ problem }) => problem !== undefined)?.problem
  }

  announce(committed: CommittedRows): void {
    for (const publisher of this.#publishers) publisher.announce(committed)
  }

  look(): void {
    for (const publisher of this.#publishers) publisher.look()
  }

  async drain(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#publishers.map((publisher) => publisher.drain(signal)))
  }

  async stop(): Promise<void> {
    await Promise.all(this.#publishers.map((publisher) => publisher.stop()))
  }
}
