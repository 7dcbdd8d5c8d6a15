import { setImmediate as breathe } from 'node:timers/promises'
import { type EventType, type TopicName, typesOn } from '#src/events/event-types.ts'
import type { MessageLog, Position, StoredRecord } from '#src/ports/message-log.ts'

/** Where an event stands. */
export interface EventPlace {
  readonly sequence: Position
  readonly time: bigint
}

export interface TypeSummary {
  readonly type: EventType
  /** The first and the last one met; undefined when none was. */
  readonly first: EventPlace | undefined
  readonly last: EventPlace | undefined
  /** How many were met. */
  readonly count: number
}

export interface TopicSummary {
  readonly first: EventPlace | undefined
  readonly last: EventPlace | undefined
  /** Events looked at, at both ends of the log; all of them when this is the sequence of the last. */
  readonly looked: number
  readonly types: readonly TypeSummary[]
}

/** Events looked at from each end. */
export const endEvents = 10_000

/**
 * What a log holds by type of event. A log has no index by type, so unless `whole` is set only so many events at its
 * beginning and its end are looked at.
 */
export async function summarizeTopic(
  log: MessageLog,
  whole: boolean,
  signal: AbortSignal,
  topic: TopicName = 'transactions',
): Promise<TopicSummary> {
  const head = (await log.head()).sequence
  const looker = new Looker()
  if (whole || head <= 2 * endEvents) {
    await look(log, { after: 0, through: head }, looker, signal)
  } else {
    await look(log, { after: 0, through: endEvents }, looker, signal)
    await look(log, { after: head - endEvents, through: head }, looker, signal)
  }
  return looker.summary(typesOn(topic))
}

class Looker {
  readonly #types = new Map<EventType, { first: EventPlace; last: EventPlace; count: number }>()
  #first: EventPlace | undefined
  #last: EventPlace | undefined
  #looked = 0

  add({ type, sequence, time }: StoredRecord): void {
    const place = { sequence, time }
    this.#first ??= place
    this.#last = place
    this.#looked += 1
    const known = this.#types.get(type)
    if (known) {
      known.last = place
      known.count += 1
    } else this.#types.set(type, { first: place, last: place, count: 1 })
  }

  summary(known: readonly EventType[]): TopicSummary {
    const none = { first: undefined, last: undefined, count: 0 }
    const types = known.map((type) => ({ type, ...(this.#types.get(type) ?? none) }))
    return { first: this.#first, last: this.#last, looked: this.#looked, types }
  }
}

async function look(
  log: MessageLog,
  { after, through }: { readonly after: Position; readonly through: Position },
  looker: Looker,
  signal: AbortSignal,
): Promise<void> {
  if (through <= after) return
  for await (const { records } of log.read({ after, countMax: 2_000, bytesMax: 4 << 20, follow: false, signal })) {
    for (const record of records) {
      if (record.sequence > through) return
      looker.add(record)
    }
    if (records.at(-1)?.sequence === through) return
    // An embedded log reads without ever waiting: signals must be heard all the same.
    await breathe()
  }
}
