import { invalidParameters } from '#queries/common/errors.ts'
import { asBuffer } from '#src/domain/bytes.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
import type { HexAddress } from '#src/evm/addresses.ts'

export type Members = Readonly<Record<string, unknown>>

const addressForm = /^(0x)?[0-9a-f]{40}$/i
const hexForm = /^(0x)?[0-9a-f]*$/i
const wordDigits = 64

/** Numbers are exact: amounts go beyond what a double holds. */
export function parseMembers(bytes: Uint8Array): Members {
  let parsed: unknown
  try {
    parsed = JSON.parse(asBuffer(bytes).toString('utf8'), (_name: string, value: unknown, context?: unknown) => {
      const { source = '' } = (context ?? {}) as { source?: string }
      return typeof value === 'number' && /^-?\d+$/.test(source) ? BigInt(source) : value
    })
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : String(error))
  }
  return membersOf(parsed, 'Expected an object')
}

function membersOf(value: unknown, complaint: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable(complaint)
  return value as Members
}

function unreadable(reason: string) {
  return invalidParameters([`JSON parse error: ${reason}`])
}

/** Numbers stand for their texts, as is usual. */
export function textOf(members: Members, name: string): string | undefined {
  const value = members[name] ?? undefined
  if (value === undefined || typeof value === 'string') return value
  if (typeof value === 'object') throw unreadable(`Cannot read '${name}' as a text`)
  return String(value)
}

export function integerOf(members: Members, name: string): bigint | undefined {
  const given = members[name] ?? undefined
  if (given === undefined) return undefined
  const value = typeof given === 'string' && /^[+-]?\d{1,19}$/.test(given.trim()) ? BigInt(given) : given
  const isInteger = typeof value === 'bigint' && value <= maxInt64 && value >= -maxInt64 - 1n
  if (!isInteger) throw unreadable(`Cannot read '${name}' as a whole number of 64 bits`)
  return value
}

/** A number, or a text of one, decimal or hex with 0x. */
export function quantityOf(members: Members, name: string): bigint | undefined {
  const given = members[name]
  const isHex = typeof given === 'string' && /^0x[0-9a-f]{1,16}$/i.test(given)
  return integerOf(isHex ? { [name]: BigInt(given) } : members, name)
}

export function truthOf(members: Members, name: string): boolean {
  const value = members[name] ?? false
  if (value === true || value === false) return value
  if (value === 'true' || value === 'false') return value === 'true'
  throw unreadable(`Cannot read '${name}' as true or false`)
}

/** undefined for one that is not there. */
export function objectOf(members: Members, name: string): Members | undefined {
  const value = members[name] ?? undefined
  return value === undefined ? undefined : membersOf(value, `Cannot read '${name}' as an object`)
}

/** Empty for one that is not there. */
export function objectsOf(members: Members, name: string): Members[] {
  return valuesOf(members, name).map((value) => membersOf(value, `Cannot read '${name}' as a list of objects`))
}

export function valuesOf(members: Members, name: string): readonly unknown[] {
  const value = members[name] ?? []
  if (!Array.isArray(value)) throw unreadable(`Cannot read '${name}' as a list`)
  return value
}

/** What is wrong with a body so far: all of it is told at once. */
export class Complaints {
  readonly #texts: string[] = []

  add(field: string, rule: string): void {
    this.#texts.push(`${field} field ${rule}`)
  }

  /** Of something that is wrong. */
  when(isWrong: boolean, field: string, rule: string): void {
    if (isWrong) this.add(field, rule)
  }

  hex(field: string, text: string | undefined, digitsMax = Number.POSITIVE_INFINITY): void {
    const isWrong = text !== undefined && (!hexForm.test(text) || text.length - prefixOf(text) > digitsMax)
    this.when(isWrong, field, invalidHex)
  }

  word(field: string, text: string | undefined): void {
    this.when(text === undefined || !hexForm.test(text) || digitsOf(text).length !== wordDigits, field, invalidHex)
  }

  address(field: string, text: string | undefined): void {
    this.when(text !== undefined && !addressForm.test(text), field, invalidHex)
  }

  /** Throws `invalid_parameter` with all texts, where there are any. */
  assertNone(): void {
    if (this.#texts.length > 0) throw invalidParameters(this.#texts)
  }
}

const invalidHex = 'invalid hexadecimal string'

export function digitsOf(hex: string): string {
  return hex.slice(prefixOf(hex)).toLowerCase()
}

/** Characters that are no digits. */
function prefixOf(hex: string): number {
  return /^0x/i.test(hex) ? 2 : 0
}

export function addressOf(text: string): HexAddress {
  return `0x${digitsOf(text)}`
}

/** Throws `invalid_parameter` for half a byte. */
export function bytesOf(hex: string): Buffer {
  const digits = hex.slice(prefixOf(hex))
  if (digits.length % 2 === 1) throw invalidParameters(['Odd number of characters.'])
  return Buffer.from(digits, 'hex')
}
