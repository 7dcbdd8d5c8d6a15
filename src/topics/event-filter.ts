import { type EntityId, entityIdOf } from '#src/domain/entity-id.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { responseCodeNames } from '#src/domain/response-codes.ts'
import { transactionTypeNames } from '#src/domain/transaction-types.ts'
import { createEventReader } from '#src/events/codec.ts'
import { type EventType, eventTypes } from '#src/events/event-types.ts'
import type { StoredRecord } from '#src/ports/message-log.ts'
import { entityOf, type RecordValue, type Shape, shapeOf } from '#src/topics/event-shape.ts'
import { type DecodedRecord, decodeRecord, view } from '#src/topics/event-view.ts'

/** What to look for, as a person writes it. Several of one option: one of them; several options: all of them. */
export interface FilterTexts {
  /** Names of event types, names of transaction types, or numbers of these. */
  readonly types: readonly string[]
  /** Names or numbers of result codes. */
  readonly results: readonly string[]
  /** Ids that an event names anywhere: `0.0.5`, `5`. */
  readonly entities: readonly string[]
  /** `field=value` with a dotted path; the value as either form of the output shows it, or `null`. */
  readonly where: readonly string[]
}

/** The decoded event when it is one that was looked for. */
export type EventFilter = (record: StoredRecord) => DecodedRecord | undefined

interface Condition {
  readonly path: readonly string[]
  readonly value: string
}

const readHead = createEventReader('TransactionRecorded', ['type', 'result'])

/** Throws `config_invalid` for a name, id or field that there is none of. */
export function createEventFilter(texts: FilterTexts): EventFilter {
  const wanted = parseTypes(texts.types)
  const results = new Set(texts.results.map((text) => codeOf(responseCodeNames, text, '--result')))
  const entities = texts.entities.map(parseEntity)
  const conditions = texts.where.map((text) => parseCondition(text, wanted.events))
  const onlyTransactions = wanted.transactions.size > 0 || results.size > 0
  return (record) => {
    const isTransaction = record.type === 'TransactionRecorded'
    if (!isTransaction && (onlyTransactions ? !wanted.named.has(record.type) : !wanted.events.has(record.type)))
      return undefined
    if (isTransaction && (!wanted.events.has(record.type) || !headMatches(record.value, wanted.transactions, results)))
      return undefined
    const decoded = decodeRecord(record)
    const shape = shapeOf(record.type)
    const fits =
      (entities.length === 0 || names(shape, decoded.event, entities)) &&
      conditions.every((condition) => meets(shape, decoded.event, condition))
    return fits ? decoded : undefined
  }
}

/** Decides by two fields, so that most of what is not wanted is not decoded further. */
function headMatches(value: Uint8Array, types: ReadonlySet<number>, results: ReadonlySet<number>): boolean {
  if (types.size === 0 && results.size === 0) return true
  const { type, result } = readHead(value)
  return (types.size === 0 || types.has(type)) && (results.size === 0 || results.has(result))
}

/** `named`: event types asked for by name. `events`: those that can match at all. */
function parseTypes(texts: readonly string[]) {
  const named = new Set<EventType>()
  const transactions = new Set<number>()
  for (const text of texts) {
    const event = eventTypes.find((type) => type.toLowerCase() === text.toLowerCase())
    if (event) named.add(event)
    else transactions.add(codeOf(transactionTypeNames, text, '--type'))
  }
  const events = new Set<EventType>(texts.length === 0 ? eventTypes : named)
  if (transactions.size > 0) events.add('TransactionRecorded')
  // Asked for as a whole, transactions are not narrowed to some of their types.
  if (named.has('TransactionRecorded')) transactions.clear()
  return { named, events, transactions }
}

function codeOf(names: Readonly<Record<number, string>>, text: string, flag: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const found = Object.entries(names).find(([, name]) => name === text.toUpperCase())
  if (found) return Number(found[0])
  const known =
    flag === '--type'
      ? `one of ${eventTypes.join(', ')}, or a transaction type such as CRYPTOTRANSFER`
      : 'the name of a result such as SUCCESS, or its number such as 22'
  throw invalid(`${flag} must be ${known}, not ${JSON.stringify(text)}`)
}

function parseEntity(text: string): EntityId {
  const match = /^(?:(\d{1,4})\.(\d{1,5})\.)?(\d{1,12})$/.exec(text)
  const id = match ? entityIdOf(BigInt(match[1] ?? 0), BigInt(match[2] ?? 0), BigInt(match[3]!)) : undefined
  if (id === undefined) throw invalid(`--entity must be an id such as 0.0.1001, not ${JSON.stringify(text)}`)
  return id
}

function parseCondition(text: string, types: ReadonlySet<EventType>): Condition {
  const [name = '', ...rest] = text.split('=')
  const path = name.split('.')
  if (rest.length === 0) throw invalid(`--where must be field=value, not ${JSON.stringify(text)}`)
  if (![...types].some((type) => hasField(shapeOf(type), path)))
    throw invalid(`No event of the chosen types has the field ${name}; "ledger-history topics describe" lists them`)
  return { path, value: rest.join('=') }
}

function hasField(shape: Shape, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true
  if (shape.kind === 'list') return hasField(shape.item, [first, ...rest])
  const field = 'fields' in shape ? shape.fields.get(first) : undefined
  return field !== undefined && hasField(field, rest)
}

/** Whether the value names one of the entities, at any depth. */
function names(shape: Shape, value: unknown, entities: readonly bigint[]): boolean {
  if (value === null || value === undefined) return false
  if (shape.kind === 'leaf') return shape.meaning === 'id' && entities.includes(value as bigint)
  if (shape.kind === 'list') return (value as readonly unknown[]).some((item) => names(shape.item, item, entities))
  if (shape.kind === 'entity') return entities.includes(entityOf(value as RecordValue, shape.number) ?? -1n)
  for (const [name, field] of shape.fields) if (names(field, (value as RecordValue)[name], entities)) return true
  return false
}

function meets(shape: Shape, value: unknown, { path, value: wanted }: Condition): boolean {
  const [first, ...rest] = path
  if (shape.kind === 'list') {
    return Array.isArray(value) && value.some((item) => meets(shape.item, item, { path, value: wanted }))
  }
  if (first === undefined) return shows(shape, value, wanted)
  if (!('fields' in shape) || typeof value !== 'object') return false
  const field = shape.fields.get(first)
  if (field === undefined) return false
  return value === null ? wanted === 'null' : meets(field, (value as RecordValue)[first], { path: rest, value: wanted })
}

/** Compared with each form in which the output can show the value. */
function shows(shape: Shape, value: unknown, wanted: string): boolean {
  if (value === null || value === undefined) return wanted === 'null'
  const styles = [
    { human: false, bytes: 'hex' },
    { human: false, bytes: 'base64' },
    { human: true, bytes: 'hex' },
  ] as const
  return styles.some((style) => String(view(shape, value, style) ?? '') === wanted)
}

function invalid(message: string): LedgerError {
  return new LedgerError('config_invalid', message)
}
