import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allProjections } from '#projections/index.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { ReadStore } from '#src/ports/read-store.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import type { ImportWorld } from '#test/importer/import-world.ts'
import { importNetwork } from '#test/oracle/imported-network.ts'
import { distantStore } from '#test/support/distant-store.ts'
import { allRowsOf } from '#test/support/folded-rows.ts'

const blocks = 60
const options = {
  seed: 'row loads',
  accounts: 600,
  transactionsPerSecond: 50,
  dayBlocks: 6,
  addressBookUpdateBlocks: 10,
}
const timeoutMs = 120_000

/** Loads per 1,000 events that each read model takes at most. */
const loadsMax: Readonly<Record<string, number>> = {
  transactions: 0.2,
  blocks: 0.2,
  hooks: 15.2,
  network: 3.5,
  'network-files': 0,
  entities: 16.5,
  balances: 13.9,
  staking: 7,
  topics: 3.5,
  schedules: 0,
  'contract-logs': 8.1,
  tokens: 9,
  allowances: 10.3,
  airdrops: 11.4,
  nfts: 23.5,
  contracts: 7.3,
  'contract-results': 8.2,
}

describe('a read model whose rows take a round trip', () => {
  let world: ImportWorld
  let events = 0

  beforeAll(async () => {
    ;({ world } = await importNetwork(options, blocks))
    events = (await world.log.head()).sequence
  }, timeoutMs)
  afterAll(async () => {
    await world.log.close()
    await world.store.close()
  })

  const fold = async (projection: AnyProjection, store: ReadStore) => {
    await runProjections({ log: world.log, store, projections: [projection], follow: false, strict: true })
    return allRowsOf(store, projection.schema)
  }

  it.each(allProjections.map((projection) => [projection.schema.name, projection] as const))(
    'has the rows that it has where there is none, and waits for few: %s',
    async (name, projection) => {
      const [one, other] = [openSqliteReadStore({ folder: ':memory:' }), openSqliteReadStore({ folder: ':memory:' })]
      const { store, counts } = distantStore(other)
      expect(await fold(projection, store)).toEqual(await fold(projection, one))

      const perThousand = Math.round((counts.loads / events) * 10_000) / 10
      console.log(`${name}: ${perThousand} loads and ${counts.waits} waits for ${events} events`)
      expect(perThousand).toBeLessThanOrEqual(loadsMax[name] as number)
      await Promise.all([one.close(), other.close()])
    },
    timeoutMs,
  )
})
