import type { ScheduleRow } from '#projections/schedules/schema.ts'
import { base64Of } from '#src/domain/bytes.ts'
import { formatEntityId } from '#src/domain/entity-id.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { renderKey } from '#src/domain/public-key.ts'

/** Names of kinds of signatures by their field number in SignaturePair. */
export const signatureTypes: Readonly<Record<number, string>> = {
  2: 'CONTRACT',
  3: 'ED25519',
  4: 'RSA_3072',
  5: 'ECDSA_384',
  6: 'ECDSA_SECP256K1',
}

/** A signature that a schedule was given. */
export interface Signature {
  /** Consensus time of the transaction that brought it, ns. */
  readonly time: bigint
  /** Field number in SignaturePair. */
  readonly type: number
  readonly publicKeyPrefix: Uint8Array
  readonly signature: Uint8Array
}

/** As it is shown. */
interface ShownSignature {
  readonly consensus_timestamp: string
  readonly public_key_prefix: string
  readonly signature: string
  readonly type: string
}

/** What its entity says of a schedule. */
export interface ScheduleEntity {
  /** Serialized Key. */
  readonly adminKey: Uint8Array | null
  readonly memo: string
}

export interface ScheduleFacts extends ScheduleEntity {
  readonly id: bigint
  readonly created: bigint
  readonly creator: bigint | null
  /** Who pays for the execution. */
  readonly payer: bigint | null
  readonly expiration: bigint | null
  readonly waitForExpiry: boolean
  /** Serialized SchedulableTransactionBody. */
  readonly body: Uint8Array
  readonly signatures: readonly Signature[]
}

export type ScheduleText = Pick<ScheduleRow, 'head' | 'rest'>

export function renderSchedule(facts: ScheduleFacts): ScheduleText {
  const { id, created, creator, payer, expiration, memo, waitForExpiry, body, signatures } = facts
  const head: Head = {
    admin_key: shownKey(facts.adminKey),
    consensus_timestamp: formatLedgerTime(created),
    creator_account_id: creator === null ? null : formatEntityId(creator),
  }
  const rest: Rest = {
    expiration_time: expiration === null ? null : formatLedgerTime(expiration),
    memo,
    payer_account_id: payer === null ? null : formatEntityId(payer),
    schedule_id: formatEntityId(id),
    signatures: signatures.map(shownSignature),
    transaction_body: base64Of(body),
    wait_for_expiry: waitForExpiry,
  }
  return { head: textOf(head), rest: textOf(rest) }
}

interface Head {
  readonly admin_key: unknown
  readonly consensus_timestamp: string
  readonly creator_account_id: string | null
}

interface Rest {
  readonly expiration_time: string | null
  readonly memo: string
  readonly payer_account_id: string | null
  readonly schedule_id: string
  readonly signatures: readonly ShownSignature[]
  readonly transaction_body: string
  readonly wait_for_expiry: boolean
}

export function memoIn({ rest }: Pick<ScheduleText, 'rest'>): string {
  return parsed<Rest>(rest).memo
}

/** The same of an entity of which something else is said. */
export function withEntity({ head, rest }: ScheduleText, { adminKey, memo }: ScheduleEntity): ScheduleText {
  return { head: changed<Head>(head, { admin_key: shownKey(adminKey) }), rest: changed<Rest>(rest, { memo }) }
}

function shownKey(key: Uint8Array | null): unknown {
  return JSON.parse(renderKey(key))
}

/** `rest` with further signatures. */
export function withSignatures(rest: string, more: readonly Signature[]): string {
  const { signatures } = parsed<Rest>(rest)
  return changed<Rest>(rest, { signatures: [...signatures, ...more.map(shownSignature)] })
}

/** `rest` without signatures from after a time (ns). */
export function signedUntil(rest: string, time: bigint): string {
  const { signatures } = parsed<Rest>(rest)
  return changed<Rest>(rest, { signatures: signatures.filter((each) => nanosOf(each.consensus_timestamp) <= time) })
}

function changed<T extends object>(members: string, change: Partial<T>): string {
  return textOf({ ...parsed<T>(members), ...change })
}

function parsed<T extends object>(members: string): T {
  return JSON.parse(`{${members}}`) as T
}

function textOf(members: object): string {
  return JSON.stringify(members).slice(1, -1)
}

function nanosOf(time: string): bigint {
  return BigInt(time.replace('.', ''))
}

function shownSignature({ time, type, publicKeyPrefix, signature }: Signature): ShownSignature {
  return {
    consensus_timestamp: formatLedgerTime(time),
    public_key_prefix: wrapped(base64Of(publicKeyPrefix)),
    signature: wrapped(base64Of(signature)),
    type: signatureTypes[type] ?? 'UNKNOWN',
  }
}

const lineLength = 76

/** In lines, as established clients see it. */
function wrapped(text: string): string {
  let lines = text.slice(0, lineLength)
  for (let at = lineLength; at < text.length; at += lineLength) lines += `\n${text.slice(at, at + lineLength)}`
  return lines
}
