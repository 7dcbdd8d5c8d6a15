import { type AirdropChange, airdropChanges, airdropFacts } from '#projections/airdrops/changes.ts'
import { airdropState, airdropsSchema } from '#projections/airdrops/schema.ts'
import { entityIds } from '#projections/entity-ids/projection.ts'
import { defineProjection, type FoldedRows } from '#src/runtime/fold/projection.ts'

/** Airdrops that wait for a claim, from records, what became of them by bodies, and as stated. */
export const airdropsProjection = defineProjection(airdropsSchema)
  .embed(entityIds)
  .on('TransactionRecorded', {
    reads: airdropFacts,
    apply: (facts, rows) => {
      const changes = airdropChanges(facts, (name) => rows.get('entityNames', name))
      for (const change of changes) changeAirdrop(rows, change, facts.consensusTimestamp)
    },
  })
  .on('AirdropSnapshotted', {
    reads: ['senderId', 'receiverId', 'tokenId', 'serialNumber', 'asOf', 'validTo', 'amount', 'state'],
    apply: (stated, rows) => {
      const { senderId: sender, receiverId: receiver, tokenId: token, serialNumber: serial } = stated
      const { asOf: from, validTo: until, amount } = stated
      const state = airdropState(stated.state)
      rows.put('airdrops', { sender, receiver, token, serial, from, until, amount, state })
    },
  })

/** A claim or cancellation of what nobody knows is kept as well: the airdrop was there before the log began. */
function changeAirdrop(
  rows: FoldedRows<typeof airdropsSchema>,
  { amount, ...change }: AirdropChange,
  time: bigint,
): void {
  const before = rows.get('airdrops', change.sender, change.receiver, change.token, change.serial)
  const known = amount === undefined ? (before?.amount ?? null) : amount
  rows.put('airdrops', { ...change, from: time, until: null, amount: known })
}
