import {
  type AllStreamResolvedEvent,
  type AppendExpectedRevision,
  BACKWARDS,
  type BaseOptions,
  type Credentials,
  type Direction,
  END,
  ErrorType,
  EventStoreDBClient,
  excludeSystemEvents,
  FORWARDS,
  type JSONType,
  jsonEvent,
  NO_STREAM,
  type ReadPosition,
  type RecordedEvent,
  START,
} from '@eventstore/db-client'
import { arriving } from '#src/adapters/eventstoredb/arriving.ts'
import { calling, isOfType, translated } from '#src/adapters/eventstoredb/errors.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { rest } from '#src/ports/clock.ts'
import type {
  DecisionBatch,
  DecisionMetadata,
  DecisionPosition,
  DecisionStore,
  ExpectedRevision,
  NewDecision,
  RecordedDecision,
  StreamRevision,
  SubscribeOptions,
} from '#src/ports/decision-store.ts'
import type { Logger } from '#src/ports/logger.ts'

export interface EventStoreOptions {
  /** `esdb://…`; says whether the connection is encrypted. */
  readonly uri: string
  readonly credentials: Credentials | undefined
  /** Certificates that are trusted instead of the system's. */
  readonly caFile: string | undefined
  readonly timeoutMs: number
  readonly logger: Logger
}

/** Events looked at in one page when the newest of ours is searched among the server's own. */
const serverPage = 100
const closeGraceMs = 1_000

/**
 * Decisions in EventStoreDB. Positions are the server's commit positions. What the server keeps for itself (streams and
 * types that begin with `$`) is passed over.
 */
export function openEventStoreDecisions(options: EventStoreOptions): DecisionStore {
  return new EventStoreDecisions(options)
}

class EventStoreDecisions implements DecisionStore {
  readonly #client: EventStoreDBClient
  readonly #server: string
  readonly #logger: Logger
  readonly #base: BaseOptions

  constructor({ uri, credentials, caFile, timeoutMs, logger }: EventStoreOptions) {
    this.#server = uri.replace(/^([a-z+]+:\/\/)(.*@)?([^/?]*).*$/, '$3')
    this.#client = clientOf(withCa(uri, caFile), this.#server)
    this.#logger = logger
    this.#base = { deadline: timeoutMs, ...(credentials && { credentials }) }
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewDecision[]): Promise<StreamRevision> {
    const expectedRevision: AppendExpectedRevision = expected === 'none' ? NO_STREAM : BigInt(expected)
    const written = events.map(({ id, type, data, metadata }) =>
      jsonEvent({ id, type, data: data as JSONType, metadata }),
    )
    try {
      const options = { ...this.#base, expectedRevision }
      const { nextExpectedRevision } = await this.#calling(() => this.#client.appendToStream(stream, written, options))
      return Number(nextExpectedRevision)
    } catch (error) {
      if (!isOfType(error, ErrorType.WRONG_EXPECTED_VERSION)) throw error
      return this.#alreadyThere(stream, expected, events)
    }
  }

  async #alreadyThere(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewDecision[],
  ): Promise<StreamRevision> {
    const before = expected === 'none' ? -1 : expected
    const found = await this.readStream(stream, before + 1)
    if (found.length >= events.length && events.every(({ id }, index) => found[index]?.id === id))
      return before + events.length
    const message = `The stream ${stream} is not at ${expected}: somebody else appended to it`
    throw new LedgerError('revision_conflict', message, { stream, expected })
  }

  async readStream(stream: string, from: StreamRevision = 0): Promise<readonly RecordedDecision[]> {
    return this.#calling(async () => {
      const found: RecordedDecision[] = []
      try {
        const options = { ...this.#base, fromRevision: BigInt(from) }
        for await (const { event } of this.#client.readStream(stream, options)) if (event) found.push(decisionOf(event))
      } catch (error) {
        if (!isOfType(error, ErrorType.STREAM_NOT_FOUND)) throw error
      }
      return found
    })
  }

  async *readAll(options: SubscribeOptions): AsyncGenerator<DecisionBatch> {
    if (options.follow) yield* this.#follow(options)
    else yield* this.#readToEnd(options)
  }

  async *#readToEnd({ countMax, signal, ...options }: SubscribeOptions): AsyncGenerator<DecisionBatch> {
    const head = (await this.newest())?.position ?? 0
    let { after } = options
    while (after < head && !signal?.aborted) {
      const events = await this.#calling(() => this.#page(after, head, countMax))
      // Ours that the server showed before are not found any more: scavenged, or another server.
      if (events.length === 0) return
      yield { events, head }
      after = events.at(-1)!.position
    }
  }

  /** The next ones of ours behind a position. The server's page begins with the event at the position itself. */
  async #page(after: number, head: number, countMax: number): Promise<RecordedDecision[]> {
    for (let from = fromPosition(after); ; ) {
      const { ours, last, isFull } = await this.#read({ fromPosition: from, maxCount: countMax + 1 })
      const found = ours.filter(({ position }) => position > after && position <= head)
      if (found.length > 0 || last === undefined || !isFull) return found.slice(0, countMax)
      from = last
    }
  }

  /** One page of the server, read to its end: a stream of the client that is left early is never let go. */
  async #read(options: { fromPosition: ReadPosition; maxCount: number; direction?: Direction }) {
    const ours: RecordedDecision[] = []
    let last: ReadPosition | undefined
    let count = 0
    for await (const { event } of this.#client.readAll({ ...this.#base, ...options })) {
      count += 1
      if (event === undefined) continue
      last = event.position
      if (!isOfServer(event)) ours.push(decisionOf(event))
    }
    return { ours, last, isFull: count === options.maxCount }
  }

  async *#follow({ after, countMax, signal }: SubscribeOptions): AsyncGenerator<DecisionBatch> {
    const subscription = this.#client.subscribeToAll({
      ...this.#base,
      fromPosition: fromPosition(after),
      filter: excludeSystemEvents(),
    })
    try {
      for await (const resolved of arriving<AllStreamResolvedEvent>(subscription, countMax, signal)) {
        const events = resolved.flatMap(({ event }) => (event === undefined ? [] : [decisionOf(event)]))
        if (events.length > 0) yield { events, head: events.at(-1)!.position }
      }
    } catch (error) {
      throw translated(this.#server, error)
    } finally {
      // It ends with the connection, too: what was read is whole either way.
      await subscription.unsubscribe().catch(() => undefined)
    }
  }

  async newest(): Promise<RecordedDecision | undefined> {
    return this.#calling(() => this.#firstOfOurs(END, BACKWARDS))
  }

  async identity(): Promise<string | undefined> {
    return (await this.#calling(() => this.#firstOfOurs(START, FORWARDS)))?.id
  }

  async #firstOfOurs(from: ReadPosition, direction: Direction): Promise<RecordedDecision | undefined> {
    for (let fromPosition = from; ; ) {
      const { ours, last, isFull } = await this.#read({ fromPosition, direction, maxCount: serverPage })
      if (ours.length > 0 || last === undefined || !isFull) return ours[0]
      fromPosition = last
    }
  }

  /** Waits for the client's streams to end, but not for ever: one whose server has gone may never say so. */
  async close(): Promise<void> {
    const waited = new AbortController()
    await Promise.race([this.#client.dispose(), rest(closeGraceMs, waited.signal)])
    waited.abort()
  }

  #calling<T>(call: () => Promise<T>): Promise<T> {
    return calling(this.#server, this.#logger, call)
  }
}

function clientOf(uri: string, server: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(uri)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new LedgerError('config_invalid', `--eventstoredb-uri for ${server} cannot be used: ${reason}`, {}, error)
  }
}

function withCa(uri: string, caFile: string | undefined): string {
  if (caFile === undefined) return uri
  return `${uri}${uri.includes('?') ? '&' : '?'}tlsCAFile=${encodeURIComponent(caFile)}`
}

function isOfServer({ type, streamId }: { readonly type: string; readonly streamId: string }): boolean {
  return type.startsWith('$') || streamId.startsWith('$')
}

/** An event as the server has it. Commit positions count bytes of its log, far below 2^53. */
function decisionOf(event: RecordedEvent): RecordedDecision {
  const { id, type, data, metadata, streamId: stream, revision, position } = event
  return {
    id,
    type,
    data: data as object,
    // We wrote it: other events than ours are passed over before.
    metadata: metadata as object as DecisionMetadata,
    stream,
    revision: Number(revision),
    position: Number(position?.commit),
  }
}

/** Events that are not part of an explicit transaction, as all of ours, have one number for both. */
function fromPosition(after: DecisionPosition): ReadPosition {
  return after === 0 ? START : { commit: BigInt(after), prepare: BigInt(after) }
}
