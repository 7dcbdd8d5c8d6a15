import { eoaCode7702RecoverAuthority } from '@ethereumjs/util'
import type { HexAddress } from '#src/evm/addresses.ts'
import type { World } from '#src/evm/world.ts'

/** An account's word that its calls run the code of another address (EIP-7702). */
export interface Authorization {
  readonly address: HexAddress
  readonly chainId: bigint
  readonly nonce: bigint
  readonly yParity: number
  /** 0x and 64 lower-case hex digits each. */
  readonly r: HexAddress
  readonly s: HexAddress
}

const emptyAccountGas = 25_000n
const knownAccountRefund = 12_500n
const indicator = 'ef0100'
const nobody = `0x${'0'.repeat(40)}`
const maxNonce = 2n ** 64n - 1n
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const none = new Uint8Array(0)

/** Each counts, whether or not it is valid. */
export function authorizationGas(list: readonly Authorization[]): bigint {
  return BigInt(list.length) * emptyAccountGas
}

interface Authorized {
  /** Of accounts that are there already. */
  readonly refund: bigint
  /** Accounts that had to be created. */
  readonly created: number
}

/**
 * Puts valid authorizations in force, as HIP-1340 says: of several of one account the last one counts, and those that are not valid
 * are passed over.
 */
export async function authorize(
  world: World,
  list: readonly Authorization[],
  { sender, chainId }: { readonly sender: HexAddress; readonly chainId: bigint },
): Promise<Authorized> {
  const valid = new Map<HexAddress, Authorization>()
  for (const each of list) {
    const authority = authorityOf(each, chainId)
    // The transaction itself has taken a nonce of its sender by then.
    const nonce = each.nonce - (authority === sender ? 1n : 0n)
    if (authority !== undefined && (await mayDelegate(world, authority, nonce))) valid.set(authority, each)
  }
  let created = 0
  for (const [authority, { address, nonce }] of valid) {
    if (!(await world.exists(authority))) created += 1
    const code = address === nobody ? none : Buffer.from(indicator + address.slice(2), 'hex')
    await world.replaceAccount(authority, { balance: undefined, nonce: nonce + 1n, code })
  }
  return { refund: BigInt(valid.size - created) * knownAccountRefund, created }
}

async function mayDelegate(world: World, authority: HexAddress, nonce: bigint): Promise<boolean> {
  const entity = await world.entityAt(authority)
  if (entity === undefined) return nonce === 0n
  if (entity.kind !== 'account' && entity.pays !== true) return false
  world.assertKnown('nonce', authority)
  return entity.nonce === nonce
}

/** Who signed it; undefined where that does not hold. */
function authorityOf({ address, ...signed }: Authorization, chainId: bigint): HexAddress | undefined {
  const { nonce, yParity, r, s } = signed
  if (signed.chainId !== 0n && signed.chainId !== chainId) return undefined
  if (nonce >= maxNonce || BigInt(s) > halfOrder) return undefined
  const bytes = (hex: string): Uint8Array => Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  const quantity = (value: bigint): Uint8Array => (value === 0n ? none : bytes(value.toString(16)))
  try {
    return eoaCode7702RecoverAuthority([
      quantity(signed.chainId),
      bytes(address.slice(2)),
      quantity(nonce),
      quantity(BigInt(yParity)),
      bytes(r.slice(2)),
      bytes(s.slice(2)),
    ]).toString()
  } catch {
    // No point of the curve: nobody signed it.
    return undefined
  }
}
