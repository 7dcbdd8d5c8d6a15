import { expect, it } from 'vitest'
import { balancesSchema } from '#projections/balances/schema.ts'
import { entitiesSchema } from '#projections/entities/schema.ts'
import { unknownEntity } from '#projections/entities/versions.ts'
import { ledgerAt } from '#queries/contract-calls/ledger-at.ts'
import type { CallContext } from '#queries/contract-calls/reads.ts'
import { rowsAt } from '#src/runtime/serve/rows-at.ts'
import { rowReaderFake } from '#test/queries/row-reader-fake.ts'

const now = 100n
const [alice, bob] = [1_001n, 1_002n]
const address = Buffer.alloc(20, 0xa1)
const account = (id: bigint, from: bigint, nonce: bigint) => ({
  ...unknownEntity(id, from),
  type: 'ACCOUNT',
  ethereumNonce: nonce,
})

/** Alice called at 20 and 40, changed at 30 and called again at 50; Bob took her address at 60, and never called. */
const collections = {
  entities: [account(alice, 30n, 8n), account(bob, 60n, 0n)].map((row) => ({ ...row, shown: null })),
  entityVersions: [{ ...account(alice, 10n, 6n), until: 30n }],
  formerNonces: [
    { id: alice, until: 20n, nonce: 5n },
    { id: alice, until: 40n, nonce: 6n },
    { id: alice, until: 50n, nonce: 7n },
  ],
  entityNames: [{ name: address, id: bob, from: 60n, until: null }],
  entityNameVersions: [{ name: address, id: alice, from: 10n, until: 55n }],
}

function ledgerOf(time: bigint) {
  const checkpoint = { position: 1, time: now }
  const reader = rowReaderFake(collections, checkpoint, { entities: ['id'], entityNames: ['name'] })
  const rows = { entities: rowsAt(entitiesSchema, reader, now), balances: rowsAt(balancesSchema, reader, now) }
  const context = { rows, checkpoint, settings: { shard: 0n, realm: 0n } } as unknown as CallContext
  const facts = { number: 1n, timestamp: 0n, hash: Buffer.alloc(48), hapiVersion: undefined }
  const block = { ...facts, time, isNewest: time === now }
  return ledgerAt(block, context)
}

it.each([
  { time: 9n, nonce: undefined },
  { time: 10n, nonce: 5n },
  { time: 20n, nonce: 6n },
  { time: 35n, nonce: 6n },
  { time: 40n, nonce: 7n },
  { time: now, nonce: 8n },
])('at $time an account has the nonce $nonce that it had then', async ({ time, nonce }) => {
  expect((await ledgerOf(time).entity(alice))?.nonce).toBe(nonce)
})

it.each([
  { time: 9n, holder: undefined },
  { time: 54n, holder: alice },
  { time: 55n, holder: undefined },
  { time: 60n, holder: bob },
])('at $time an address is that of $holder', async ({ time, holder }) => {
  expect((await ledgerOf(time).entityAt(`0x${address.toString('hex')}`))?.id).toBe(holder)
})
