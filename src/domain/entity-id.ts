/**
 * An entity's id as one signed 64-bit integer: 10 bits shard, 16 bits realm, 38 bits number, most significant first.
 * In shard 0 and realm 0 it equals the number. 0 stands for "no entity".
 */
export type EntityId = bigint & { readonly __brand: 'EntityId' }

export const maxShard = 1023n
export const maxRealm = 65_535n
/** Of an id, the lowest ones. */
export const numberBits = 38
export const maxNumber = 274_877_906_943n

/** The id of the three parts, or undefined when one lies outside its range. */
export function entityIdOf(shard: bigint, realm: bigint, number: bigint): EntityId | undefined {
  if (shard < 0n || shard > maxShard || realm < 0n || realm > maxRealm || number < 0n || number > maxNumber)
    return undefined
  return BigInt.asIntN(64, (shard << 54n) | (realm << 38n) | number) as EntityId
}

export function entityIdParts(id: bigint): { shard: bigint; realm: bigint; number: bigint } {
  const unsigned = BigInt.asUintN(64, id)
  return { shard: unsigned >> 54n, realm: (unsigned >> 38n) & 0xffffn, number: unsigned & 0x3fffffffffn }
}

/** Writes `shard.realm.num`. */
export function formatEntityId(id: bigint): string {
  if (id >= 0n && id <= maxNumber) return `0.0.${Number(id)}`
  const { shard, realm, number } = entityIdParts(id)
  return `${shard}.${realm}.${number}`
}

/** By shard, realm and number: ids of high shards are negative. */
export function compareIds(one: bigint, other: bigint): number {
  const [a, b] = [BigInt.asUintN(64, one), BigInt.asUintN(64, other)]
  return a < b ? -1 : a > b ? 1 : 0
}
