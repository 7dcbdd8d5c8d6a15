import { Refusal } from '#queries/common/parameters.ts'
import { entityIdOf } from '#src/domain/entity-id.ts'
import { maxInt64, nanosPerSecond } from '#src/domain/ledger-time.ts'

/** What the path of a transaction names: its id, or the hash of its record. */
export type TransactionKey =
  | { readonly kind: 'id'; readonly payer: bigint; readonly validStart: bigint }
  | { readonly kind: 'hash'; readonly hash: Buffer }

const idForm = /^(\d{1,19})\.(\d{1,19})\.(\d{1,19})-(\d{1,19})-(\d{1,9})$/
const hexForm = /^(?:0x)?([0-9a-fA-F]{96})$/
const base64Form = /^[0-9A-Za-z+/_-]{64}$/
export const wrongTransactionId = new Refusal(
  'Invalid Transaction id. Please use "shard.realm.num-sss-nnn" format where sss are seconds and nnn are nanoseconds',
)

/** Reads an id, 96 hex digits, or 64 characters of base64 or base64url. */
export function parseTransactionKey(text: string): TransactionKey | Refusal {
  const hex = hexForm.exec(text)?.[1]
  if (hex !== undefined) return { kind: 'hash', hash: Buffer.from(hex, 'hex') }
  if (base64Form.test(text)) return { kind: 'hash', hash: Buffer.from(text, 'base64') }
  return parseId(text) ?? wrongTransactionId
}

function parseId(text: string): TransactionKey | undefined {
  const match = idForm.exec(text)
  if (match === null) return undefined
  const [, shard = '', realm = '', number = '', seconds = '', nanos = ''] = match
  const payer = entityIdOf(BigInt(shard), BigInt(realm), BigInt(number))
  const validStart = BigInt(seconds) * nanosPerSecond + BigInt(nanos)
  return payer === undefined || validStart > maxInt64 ? undefined : { kind: 'id', payer, validStart }
}
