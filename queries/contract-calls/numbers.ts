import type { CallContext } from '#queries/contract-calls/reads.ts'
import { entityIdOf, entityIdParts } from '#src/domain/entity-id.ts'

/** Contracts know entities by their numbers alone: all are of one shard and realm. Undefined where no entity has such a number. */
export function idOfNumber(number: bigint, { settings: { shard, realm } }: CallContext): bigint | undefined {
  return number < 0n ? undefined : entityIdOf(shard, realm, number)
}

/** 0 for nobody. */
export function numberOfId(id: bigint | null): bigint {
  return id === null ? 0n : entityIdParts(id).number
}
