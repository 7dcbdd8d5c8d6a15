import type { AbiValue } from '#src/evm/abi/types.ts'
import { type HexAddress, longZeroOf } from '#src/evm/addresses.ts'
import { accountAt } from '#src/evm/services/accounts.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { Halted, must } from '#src/evm/services/failed.ts'
import { keyOfValue, keyOfWho } from '#src/evm/services/keys.ts'
import { tokenNumber } from '#src/evm/services/token/named.ts'
import { type FeeFacts, type TokenKeyKind, type TokenKeys, tokenKeyBits } from '#src/evm/token-facts.ts'

export type ExpiryTuple = readonly [second: bigint, account: HexAddress, period: bigint]
export type KeyTuple = readonly [bits: bigint, value: readonly AbiValue[]]
/** What a contract says of a token, in all versions of the type. */
export type TokenDefinition = readonly [
  name: string,
  symbol: string,
  treasury: HexAddress,
  memo: string,
  isFinite: boolean,
  maxSupply: bigint,
  freezeDefault: boolean,
  keys: readonly KeyTuple[],
  expiry: ExpiryTuple,
]

type FixedTuple = readonly [bigint, HexAddress, boolean, boolean, HexAddress]
type FractionalTuple = readonly [bigint, bigint, bigint, bigint, boolean, HexAddress]
type RoyaltyTuple = readonly [bigint, bigint, bigint, HexAddress, boolean, HexAddress]

export const nobody = longZeroOf(0n)
const bytesMax = 100
const kinds = Object.entries(tokenKeyBits) as [TokenKeyKind, bigint][]

export function assertTexts(name: string, symbol: string): void {
  must(Buffer.byteLength(symbol) <= bytesMax, 'TOKEN_SYMBOL_TOO_LONG')
  must(Buffer.byteLength(name) <= bytesMax, 'TOKEN_NAME_TOO_LONG')
}

/** The keys that tuples name, by kind; one tuple may be of several. What is no key ends the frame. */
export async function keysOfTuples(call: ServiceCall, tuples: readonly KeyTuple[]): Promise<Partial<TokenKeys>> {
  const keys: Partial<Record<TokenKeyKind, Uint8Array>> = {}
  const own = keyOfWho(await call.world.entityAt(call.sender))
  for (const [bits, value] of tuples) {
    const [isInherited, contract, ed25519, secp256k1, delegatable] = value as readonly AbiValue[]
    const numbered = [
      isInherited!,
      await byNumber(call, contract as HexAddress),
      ed25519!,
      secp256k1!,
      await byNumber(call, delegatable as HexAddress),
    ]
    const key = keyOfValue(numbered, own)
    if (key === undefined) throw new Halted()
    for (const [kind, bit] of kinds) if ((bits & bit) !== 0n) keys[kind] = key
  }
  return keys
}

/** Keys of contracts hold their numbers. */
async function byNumber(call: ServiceCall, address: HexAddress): Promise<HexAddress> {
  const account = await accountAt(call.world, address)
  return account === undefined ? address : longZeroOf(account)
}

async function collectorAt(call: ServiceCall, address: HexAddress): Promise<bigint> {
  const account = await accountAt(call.world, address)
  must(account !== undefined, 'INVALID_CUSTOM_FEE_COLLECTOR')
  return account
}

/** The token that a fee is paid in: hbar, the token itself, or another one. */
async function feeToken(
  call: ServiceCall,
  [isHbar, isOwn, address]: readonly [boolean, boolean, HexAddress],
  own: bigint,
): Promise<bigint> {
  if (isHbar) return 0n
  if (isOwn) return own
  const number = tokenNumber(address)
  must(number !== 0n && (await call.tokens.token(number)) !== undefined, 'INVALID_TOKEN_ID_IN_CUSTOM_FEES')
  return number
}

/** Fees as contracts say them; `own` is the token that they are of. */
export async function feesOfTuples(
  call: ServiceCall,
  own: bigint,
  tuples: { fixed?: readonly AbiValue[]; fractional?: readonly AbiValue[]; royalty?: readonly AbiValue[] },
): Promise<FeeFacts> {
  const collectorsAreExempt = false
  const fixed = ((tuples.fixed ?? []) as readonly FixedTuple[]).map(
    async ([amount, token, isHbar, isOwn, collector]) => ({
      amount,
      token: await feeToken(call, [isHbar, isOwn, token], own),
      collector: await collectorAt(call, collector),
      collectorsAreExempt,
    }),
  )
  const fractional = ((tuples.fractional ?? []) as readonly FractionalTuple[]).map(
    async ([numerator, denominator, minimum, maximum, netOfTransfers, collector]) => {
      must(denominator !== 0n, 'FRACTION_DIVIDES_BY_ZERO')
      return {
        ...{ numerator, denominator, minimum, maximum, netOfTransfers, collectorsAreExempt },
        collector: await collectorAt(call, collector),
      }
    },
  )
  const royalty = ((tuples.royalty ?? []) as readonly RoyaltyTuple[]).map(
    async ([numerator, denominator, amount, token, isHbar, collector]) => {
      must(denominator !== 0n, 'FRACTION_DIVIDES_BY_ZERO')
      const fallback = amount === 0n ? null : { amount, token: await feeToken(call, [isHbar, false, token], own) }
      return { numerator, denominator, fallback, collector: await collectorAt(call, collector), collectorsAreExempt }
    },
  )
  return {
    fixed: await Promise.all(fixed),
    fractional: await Promise.all(fractional),
    royalty: await Promise.all(royalty),
  }
}
