import { RLP } from '@ethereumjs/rlp'
import { keccak256 } from '#src/domain/keccak.ts'
import { gasPrice } from '#src/simulator/fees.ts'
import { hexBytes } from '#src/simulator/ids.ts'
import type { KeyRing } from '#src/simulator/keys.ts'

export const chainId = 298
const weibarsPerTinybar = 10_000_000_000n

export interface EthereumPlan {
  readonly nonce: number
  readonly gas: number
  /** 40 hex digits; empty for a creation. */
  readonly to: string
  readonly tinybars: number
  readonly data: Uint8Array
  /** Makes it a transaction of EIP-7702. */
  readonly authorizations?: readonly Authorization[]
}

/** What an account allows: that the code of a contract runs for it. Signed by itself. */
export interface Authorization {
  /** Number of the key that signs. */
  readonly key: number
  /** 20 bytes; all zero takes a former one back. */
  readonly delegate: Uint8Array
  readonly nonce: number
}

export interface RawTransaction {
  readonly raw: Buffer
  /** The same with its data left out, for data that comes in a file. It has the signature of the whole. */
  readonly withoutData: () => Buffer
}

type Item = Uint8Array | bigint | number | Item[]
type Fields = (plan: EthereumPlan, data: Uint8Array) => Item[]

export type Format = 'legacy' | 'unprotected' | 'accessList' | 'feeMarket' | 'delegation'

const price = (tinybars: number) => BigInt(tinybars) * weibarsPerTinybar
const call = ({ gas, to, tinybars }: EthereumPlan, data: Uint8Array): Item[] => [
  gas,
  hexBytes(to),
  price(tinybars),
  data,
]
const prices = ({ nonce }: EthereumPlan): Item[] => [chainId, nonce, price(1), price(gasPrice * 2)]

/** The first slot of what is called; what is created has none yet. */
const accessed = ({ to }: EthereumPlan): Item[] => (to === '' ? [] : [[hexBytes(to), [Buffer.alloc(32)]]])

const legacyFields: Fields = (plan, data) => [plan.nonce, price(gasPrice), ...call(plan, data)]
const typedFields: { readonly [format in Format]?: readonly [type: number, Fields] } = {
  accessList: [1, (plan, data) => [chainId, ...legacyFields(plan, data), accessed(plan)]],
  feeMarket: [2, (plan, data) => [...prices(plan), ...call(plan, data), []]],
}

/** An Ethereum transaction in the bytes that wallets sign and send. */
export function signedTransaction(keys: KeyRing, key: number, format: Format, plan: EthereumPlan): RawTransaction {
  const typed = format === 'delegation' ? ([4, delegating(keys, plan)] as const) : typedFields[format]
  const write = typed ? typedTransaction(keys, key, plan, ...typed) : legacy(keys, key, plan, format === 'legacy')
  return { raw: write(plan.data), withoutData: () => write(Buffer.alloc(0)) }
}

function typedTransaction(keys: KeyRing, key: number, plan: EthereumPlan, type: number, fields: Fields) {
  const { r, s, odd } = keys.sign(key, hashOf(type, fields(plan, plan.data)))
  return (data: Uint8Array) => typedBytes(type, [...fields(plan, data), odd ? 1 : 0, r, s])
}

/** Since EIP-155 the chain is signed as well; transactions that shall work on every chain leave it out. */
function legacy(keys: KeyRing, key: number, plan: EthereumPlan, withChain: boolean) {
  const chain = withChain ? [chainId, 0, 0] : []
  const { r, s, odd } = keys.sign(key, keccak256(RLP.encode([...legacyFields(plan, plan.data), ...chain])))
  const v = (withChain ? chainId * 2 + 35 : 27) + (odd ? 1 : 0)
  return (data: Uint8Array) => Buffer.from(RLP.encode([...legacyFields(plan, data), v, r, s]))
}

function delegating(keys: KeyRing, { authorizations = [] }: EthereumPlan): Fields {
  const list = authorizations.map(({ key, delegate, nonce }) => {
    const fields = [chainId, delegate, nonce]
    const { r, s, odd } = keys.sign(key, hashOf(5, fields))
    return [...fields, odd ? 1 : 0, r, s]
  })
  return (plan, data) => [...prices(plan), ...call(plan, data), [], list]
}

function hashOf(type: number, fields: Item[]): Buffer {
  return keccak256(typedBytes(type, fields))
}

function typedBytes(type: number, fields: Item[]): Buffer {
  return Buffer.concat([Buffer.of(type), RLP.encode(fields)])
}
