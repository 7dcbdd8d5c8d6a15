import { hexOf } from '#src/domain/bytes.ts'
import { decodeTuple } from '#src/evm/abi/decode.ts'
import { parseTuple } from '#src/evm/abi/types.ts'
import { type HexAddress, numberOf } from '#src/evm/addresses.ts'
import { redirects } from '#src/evm/proxy-code.ts'
import { selectorBytes } from '#src/evm/services/service.ts'
import type { World } from '#src/evm/world.ts'

/** A call to an entity, as its address handed it on. */
export interface Redirected {
  readonly id: bigint
  readonly data: Uint8Array
  readonly exists: boolean
  /** The response where it does not exist. */
  readonly missing: string
}

const form = parseTuple('(address,bytes)')
const addressBytes = 20
const missing = { token: 'INVALID_TOKEN_ID', account: 'INVALID_ACCOUNT_ID', schedule: 'INVALID_SCHEDULE_ID' } as const

/** Which entity a call is about, and what is asked of it: the ABI's form, or the packed one of its own code. Undefined where it is about none. */
export async function redirectOf(
  kind: keyof typeof redirects,
  data: Uint8Array,
  world: World,
): Promise<Redirected | 'malformed' | undefined> {
  const [, selector] = redirects[kind]
  if (hexOf(data, 0, selectorBytes) !== selector) return undefined
  const rest = data.subarray(selectorBytes)
  const [address, inner] = partsOf(rest)
  if (inner.length < selectorBytes) return 'malformed'
  const entity = await world.entityAt(address)
  const isThere = entity !== undefined && (entity.kind === kind || (kind === 'account' && entity.kind === 'contract'))
  return { id: entity?.id ?? numberOf(address) ?? 0n, data: inner, exists: isThere, missing: missing[kind] }
}

function partsOf(rest: Uint8Array): readonly [HexAddress, Uint8Array] {
  const decoded = decodeTuple(form, rest)
  if (decoded !== undefined) return [decoded[0] as HexAddress, decoded[1] as Uint8Array]
  return [`0x${hexOf(rest, 0, Math.min(addressBytes, rest.length))}`, rest.subarray(addressBytes)]
}
