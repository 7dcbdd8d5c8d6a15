import type { contractsSchema } from '#projections/contracts/schema.ts'
import { unknownFact } from '#queries/contract-calls/unknown-fact.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import type { RowsAt } from '#src/ports/read-store.ts'

const none = new Uint8Array(0)

/**
 * What a slot held at a time (ns). A slot that nothing is recorded of was never written. Before the first change that the log has it
 * held what that change found.
 */
export async function findSlot(
  contract: bigint,
  slot: Uint8Array,
  time: bigint,
  rows: RowsAt<typeof contractsSchema>,
): Promise<Uint8Array> {
  const key = [contract, slot] as const
  const [row] = await rows.get('slots', [key], ['present', 'value', 'modified', 'initial', 'first', 'changed'])
  if (row === undefined) return none
  const { present, value, modified, initial, first, changed } = row
  const isSet = present === 1 && value !== null && modified !== null
  if (isSet && changed <= time && modified <= time) return value
  const [change] = await rows.find({
    collection: 'slotChanges',
    index: ['contract', 'slot', 'time'],
    prefix: key,
    upper: { value: time, inclusive: true },
    descending: true,
    limit: 1,
    select: ['value'],
  })
  if (change !== undefined) return change.value
  if (initial !== null) return initial
  if (!isSet || first > time) return none
  if (modified <= time) return value
  throw unknownFact(`slot 0x${hexOf(slot)} of contract ${formatEntityId(contract)} at that time`)
}
