import type { AbiValue } from '#src/evm/abi/types.ts'
import { longZeroOf } from '#src/evm/addresses.ts'
import { keyValue } from '#src/evm/services/keys.ts'
import { type FeeFacts, type TokenFacts, type TokenKeyKind, tokenKeyBits } from '#src/evm/token-facts.ts'

const shownKeys: readonly TokenKeyKind[] = ['admin', 'kyc', 'freeze', 'wipe', 'supply', 'feeSchedule', 'pause']

/** `TokenInfo` of a token. */
export function tokenInfoValue(token: TokenFacts, ledgerId: string): AbiValue {
  const definition = [
    token.name,
    token.symbol,
    longZeroOf(token.treasury),
    token.memo,
    token.hasMaxSupply,
    token.maxSupply,
    token.freezeDefault,
    shownKeys.map((kind) => [tokenKeyBits[kind], keyValue(token.keys[kind])]),
    expiryValue(token),
  ]
  const { totalSupply, kycDefault, isPaused, fees } = token
  return [definition, totalSupply, false, kycDefault, isPaused, ...feeValues(fees), ledgerId]
}

/** `TokenInfo` of no token: nothing but the ledger and keys that are none. */
export function noTokenInfoValue(ledgerId: string): AbiValue {
  return tokenInfoValue(noToken, ledgerId)
}

const noKeys = Object.fromEntries(Object.keys(tokenKeyBits).map((kind) => [kind, null])) as TokenFacts['keys']
const noToken: TokenFacts = {
  id: 0n,
  isNft: false,
  name: '',
  symbol: '',
  memo: '',
  decimals: 0n,
  totalSupply: 0n,
  hasMaxSupply: false,
  maxSupply: 0n,
  treasury: 0n,
  freezeDefault: false,
  kycDefault: false,
  isPaused: false,
  keys: noKeys,
  expirySeconds: 0n,
  autoRenewAccount: 0n,
  autoRenewSeconds: 0n,
  metadata: new Uint8Array(0),
  fees: { fixed: [], fractional: [], royalty: [] },
}

export function expiryValue(token: TokenFacts): AbiValue {
  return [token.expirySeconds, longZeroOf(token.autoRenewAccount), token.autoRenewSeconds]
}

/** `FixedFee[],FractionalFee[],RoyaltyFee[]`. */
export function feeValues({ fixed, fractional, royalty }: FeeFacts): readonly AbiValue[] {
  return [
    fixed.map(({ amount, token, collector }) => [
      amount,
      longZeroOf(token),
      token === 0n,
      false,
      longZeroOf(collector),
    ]),
    fractional.map(({ numerator, denominator, minimum, maximum, netOfTransfers, collector }) => [
      numerator,
      denominator,
      minimum,
      maximum,
      netOfTransfers,
      longZeroOf(collector),
    ]),
    royalty.map(({ numerator, denominator, fallback, collector }) => [
      numerator,
      denominator,
      fallback?.amount ?? 0n,
      longZeroOf(fallback?.token ?? 0n),
      fallback !== null && fallback.token === 0n,
      longZeroOf(collector),
    ]),
  ]
}
