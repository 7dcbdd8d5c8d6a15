import type { EntityRows } from '#queries/common/find-version.ts'
import type { Step } from '#queries/common/in-steps.ts'

/** Ids of a step's entities that have a public key (hex digits). */
export async function findIdsWithKey(rows: EntityRows, publicKey: string, step: Step): Promise<bigint[]> {
  const index = ['publicKey', 'id'] as const
  const found = await rows.find({ collection: 'entities', index, prefix: [publicKey], ...step, select: ['id'] })
  return found.map(({ id }) => id)
}

/** Those of some entities whose public key matches. */
export async function withKey(
  rows: EntityRows,
  ids: readonly bigint[],
  matches: (publicKey: string | null | undefined) => boolean,
): Promise<bigint[]> {
  const keys = ids.map((id) => [id] as const)
  const found = await rows.get('entities', keys, ['publicKey'])
  return ids.filter((_id, index) => matches(found[index]?.publicKey))
}
