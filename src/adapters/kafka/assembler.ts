import { type FetchedRecord, headerOf } from '#src/adapters/kafka/fetched-record.ts'
import type { WireFraming } from '#src/adapters/kafka/options.ts'
import { sequenceOf, sha256, timeOf } from '#src/adapters/kafka/records.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { type EventType, eventTypes } from '#src/events/event-types.ts'
import type { Position, StoredRecord } from '#src/ports/message-log.ts'

export interface AssemblerOptions {
  readonly topic: string
  readonly framing: WireFraming | undefined
  /** Events up to this one are left out. */
  readonly after: Position
}

/** Turns Kafka records back into events: checks that none is missing and puts parts together. */
export class Assembler {
  readonly #topic: string
  readonly #framing: WireFraming | undefined
  readonly #after: Position
  #reached: Position
  #parts: FetchedRecord[] = []

  constructor({ topic, framing, after }: AssemblerOptions) {
    this.#topic = topic
    this.#framing = framing
    this.#after = after
    this.#reached = after
  }

  /** Sequence of the last whole event. */
  get reached(): Position {
    return this.#reached
  }

  /** Takes the next record of the topic; returns the event that it completes. */
  take(record: FetchedRecord): StoredRecord | undefined {
    const sequence = sequenceOf(record)
    if (sequence === undefined) throw this.#damaged(record, 'it has no sequence in its headers')
    if (sequence <= this.#after) return undefined
    if (sequence <= this.#reached) throw this.#damaged(record, `it repeats sequence ${sequence}`)
    const parts = headerOf(record, 'parts')
    if (this.#parts.length > 0 && (sequence !== this.#reached + 1 || parts === undefined))
      throw this.#damaged(this.#parts[0]!, 'not all of its parts follow it')
    if (sequence !== this.#reached + 1) throw this.#gap(sequence)
    const value = parts === undefined ? record.value : this.#takePart(record, Number(parts))
    if (!value) return undefined
    this.#reached = sequence
    return this.#eventOf(record, sequence, value)
  }

  #eventOf(record: FetchedRecord, sequence: Position, value: Buffer): StoredRecord {
    const type = headerOf(record, 'event-type')
    if (!isEventType(type)) throw this.#damaged(record, `its type is ${type ?? 'missing'}`)
    const time = timeOf(record)
    if (time === undefined) throw this.#damaged(record, 'it has no time in its headers')
    const framed = this.#framing?.fromWire(value, headerOf(record, 'schema-fingerprint')) ?? value
    return { type, key: record.key, time, value: framed, sequence }
  }

  #takePart(record: FetchedRecord, parts: number): Buffer | undefined {
    this.#parts.push(record)
    const expected = this.#parts.length
    const part = headerOf(record, 'part')
    if (part !== String(expected))
      throw this.#damaged(record, `part ${part} of ${parts} is where part ${expected} should be`)
    if (expected < parts) return undefined
    const value = Buffer.concat(this.#parts.map((each) => each.value))
    this.#parts = []
    if (sha256(value) !== headerOf(record, 'value-sha256'))
      throw this.#damaged(record, 'its parts together do not have the digest that they were written with')
    return value
  }

  #damaged(record: FetchedRecord, reason: string): LedgerError {
    return damaged(this.#topic, `the event at offset ${record.offset} cannot be read, since ${reason}`)
  }

  #gap(found: Position): LedgerError {
    const expected = this.#reached + 1
    return gap(this.#topic, expected, `the next one is ${found}`, { found })
  }
}

function isEventType(type: string | undefined): type is EventType {
  return (eventTypes as readonly (string | undefined)[]).includes(type)
}

export function damaged(topic: string, reason: string, cause?: unknown): LedgerError {
  const message = `Topic ${topic}: ${reason}; restore the topic, or write a new generation of the log with "import republish"`
  return new LedgerError('log_damaged', message, { topic, reason }, cause)
}

export function gap(topic: string, expected: Position, reason: string, details: object = {}): LedgerError {
  const message = `Topic ${topic} has no event with sequence ${expected}: ${reason}; restore the topic, or write a new generation of the log with "import republish"`
  return new LedgerError('log_gap', message, { topic, expected, reason, ...details })
}
