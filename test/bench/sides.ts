import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Place } from '#test/support/place.ts'
import { findKafka, findMongoServers, whyMissing } from '#test/support/services.ts'

/** A log and a store that are measured together. */
export interface Side {
  /** As asked for: `kafka+mongo-java`. */
  readonly name: string
  /** The store's server stands in for another one: its figures say nothing of that. */
  readonly isStandIn: boolean
  readonly place: Place
  /** Events that are folded; all where the store is not a stand-in. */
  readonly eventsMax: number | undefined
}

export interface SideOptions {
  readonly folder: string
  /** Events folded on a stand-in. */
  readonly standInEvents: number
}

/**
 * The side of a name: `embedded`, or `<log>+<store>`, the log `embedded` or `kafka`, the store `embedded` or the name of
 * a server of the MongoDB protocol. Returns why not where its services are not there; throws for a name that is none.
 */
export function findSide(name: string, options: SideOptions): Side | string {
  const [log, store = log, ...rest] = name.split('+')
  if (rest.length > 0 || (log !== 'embedded' && log !== 'kafka') || store === 'kafka')
    throw new Error(`--engines: "${name}" is neither embedded nor <embedded or kafka>+<embedded or name of a server>`)
  const kafka = findKafka()
  if (log === 'kafka' && !kafka) return whyMissing('Kafka', 'LEDGER_TEST_KAFKA')
  const server = findMongoServers().find((each) => each.name === store)
  if (store !== 'embedded' && !server) return whyMissing(`server named ${store}`, 'LEDGER_TEST_MONGODB')
  const isStandIn = server !== undefined && !server.isReal
  const unique = `bench-${randomUUID().slice(0, 8)}`
  const place: Place = {
    data: join(options.folder, unique),
    ...(log === 'kafka' && kafka && { kafka: { brokers: kafka.brokers.join(','), prefix: unique } }),
    ...(server && { mongodb: { uri: server.uri, database: unique } }),
    settings: { ...withoutCache, ...(server && patience) },
  }
  return { name, isStandIn, place, eventsMax: isStandIn ? options.standInEvents : undefined }
}

/** Few rows are few different answers: remembered ones would be measured, not the store's. */
export const withoutCache = { 'memory-answers-mib': '0' }
/** A busy machine may keep an owner from showing that it lives, and stand-ins take their time. */
const patience = { 'mongodb-lease-ms': '60000', 'mongodb-timeout-ms': '120000' }

/** The embedded engines with as many events as stand-ins fold, to compare those with. */
export function referenceFor({ folder, standInEvents }: SideOptions): Side {
  const place: Place = { data: join(folder, `bench-${randomUUID().slice(0, 8)}`), settings: withoutCache }
  return {
    name: `embedded, ${standInEvents.toLocaleString('en')} events`,
    isStandIn: false,
    place,
    eventsMax: standInEvents,
  }
}
