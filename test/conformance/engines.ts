import { randomUUID } from 'node:crypto'
import type { Stores } from '#src/cli/engines.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import { clearPlace, enginesAt, inMemory, type Place } from '#test/support/place.ts'

/** Nobody else wants these read models, and a busy machine may keep an owner from showing that it lives. */
const patience = { 'mongodb-lease-ms': '60000', 'mongodb-timeout-ms': '30000' }

export interface EngineChoice {
  readonly log: 'embedded' | 'kafka'
  readonly store: 'embedded' | 'mongodb'
  /** Of Kafka. */
  readonly brokers: readonly string[]
  /** Connection string of MongoDB. */
  readonly mongodb: string
}

export const embeddedEngines: EngineChoice = { log: 'embedded', store: 'embedded', brokers: [], mongodb: '' }

/** A log without an event, and read models that nobody else fills. */
export interface CasePlace {
  readonly log: MessageLog
  readonly store: ReadStore
  /** Build of the read models that is free there. */
  readonly build: number
  /** Leaves nothing behind but, in a shared store, the rows of the build. */
  close(): Promise<void>
}

export interface CaseEngines {
  openPlace(): Promise<CasePlace>
  /** Leaves nothing behind. */
  close(): Promise<void>
}

/** Engines for one run over many cases: what is slow to make is shared where cases can be told apart all the same. */
export async function openCaseEngines(choice: EngineChoice): Promise<CaseEngines> {
  const run = `conformance-${randomUUID().slice(0, 8)}`
  const storePlace = placeOf(choice, run)
  // One database of the run, where every case has a build of its own; memory costs nothing to begin anew.
  const shared = choice.store === 'mongodb' ? await enginesAt(storePlace).openStores() : undefined
  let count = 0
  return {
    async openPlace() {
      const build = ++count
      const stores = shared ?? (await enginesAt(storePlace).openStores())
      const { log, close } = await openLog(placeOf(choice, `${run}-${build}`))
      return {
        log,
        store: stores.readStore,
        build,
        async close() {
          await close()
          if (stores !== shared) await stores.close()
        },
      }
    },
    close: () => closeShared(shared, storePlace),
  }
}

function placeOf({ log, store, brokers, mongodb: uri }: EngineChoice, name: string): Place {
  return {
    data: inMemory,
    ...(log === 'kafka' && { kafka: { brokers: brokers.join(','), prefix: name } }),
    ...(store === 'mongodb' && { mongodb: { uri, database: name }, settings: patience }),
  }
}

/** A topic per case, since a log has one order. */
async function openLog(place: Place): Promise<{ log: MessageLog; close(): Promise<void> }> {
  const engines = enginesAt(place)
  const log = await engines.openLog(1, 'write')
  const close = async (): Promise<void> => {
    await log.close()
    if (place.kafka) await engines.removeLog(1)
  }
  return { log, close }
}

async function closeShared(shared: Stores | undefined, { data, mongodb }: Place): Promise<void> {
  if (shared === undefined) return
  await shared.close()
  await clearPlace({ data, ...(mongodb && { mongodb }) })
}
