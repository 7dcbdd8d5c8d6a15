import { readFileSync } from 'node:fs'
import protobuf from 'protobufjs'
import type { MaxCustomFeeEntry } from '#schemas/events/types.ts'
import { entityIdOf } from '#src/domain/entity-id.ts'

type Integer = string | undefined

interface DecodedId {
  readonly shardNum?: Integer
  readonly realmNum?: Integer
  readonly accountNum?: Integer
  readonly tokenNum?: Integer
}

interface DecodedLimit {
  readonly accountId?: DecodedId
  readonly fees?: readonly { readonly amount?: Integer; readonly denominatingTokenId?: DecodedId }[]
}

const descriptor = new URL('../../schemas/protobuf/descriptor.json', import.meta.url)
let limitType: protobuf.Type | undefined

/** A serialized CustomFeeLimit as the event carries it: one entry per fixed fee. */
export function decodeCustomFeeLimit(bytes: Buffer): MaxCustomFeeEntry[] {
  limitType ??= protobuf.Root.fromJSON(JSON.parse(readFileSync(descriptor, 'utf8'))).lookupType('proto.CustomFeeLimit')
  const limit = limitType.toObject(limitType.decode(bytes), { longs: String }) as DecodedLimit
  return (limit.fees ?? []).map(({ amount, denominatingTokenId }) => ({
    accountId: idOf(limit.accountId),
    amount: BigInt(amount ?? 0),
    denominatingTokenId: idOf(denominatingTokenId),
  }))
}

function idOf(id: DecodedId | undefined): bigint | null {
  if (id === undefined) return null
  const number = id.accountNum ?? id.tokenNum ?? 0
  return entityIdOf(BigInt(id.shardNum ?? 0), BigInt(id.realmNum ?? 0), BigInt(number)) ?? null
}
