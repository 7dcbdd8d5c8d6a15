import { invalidParameters } from '#queries/common/errors.ts'
import type { Payload } from '#queries/common/payload.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
import type { HexAddress } from '#src/evm/addresses.ts'

/** A call as it is asked for, before anything is looked up. */
export interface CallBody {
  readonly block: string
  readonly data: Uint8Array
  readonly estimate: boolean
  readonly from: HexAddress | undefined
  /** undefined takes the most that a call may have. */
  readonly gas: bigint | undefined
  readonly gasPrice: bigint
  readonly to: HexAddress | undefined
  readonly value: bigint
}

const gasMin = 21_000n
const dataDigitsMax = 1_048_576
/** Call data of so many digits, and whatever else a request says. */
const bodyBytesMax = 2 << 20
const addressForm = /^(0x)?[0-9a-f]{40}$/i
const hexForm = /^(0x)?[0-9a-f]*$/i
/** How compilers begin the code that creates a contract. */
const initCodeForm = /^(0x)?(60806040|608060405[0-9a-f]|60606040|6080604[0-9a-f])/i

type Members = Readonly<Record<string, unknown>>

export function callPayload(gasMax: bigint): Payload<CallBody> {
  return {
    types: ['application/json'],
    description: 'The call, or the creation of a contract, to be run',
    schema: callBodySchema,
    bytesMax: bodyBytesMax,
    parse: (bytes) => readBody(parseMembers(bytes), gasMax),
  }
}

const address = { type: 'string', nullable: true, pattern: '^(0x)?[0-9a-fA-F]{40}$' }
const amount = { type: 'integer', format: 'int64', nullable: true, minimum: 0, default: 0 }

const callBodySchema = {
  type: 'object',
  properties: {
    block: {
      type: 'string',
      nullable: true,
      default: 'latest',
      description: 'A block by number or hash, or latest, pending, safe, finalized or earliest',
    },
    data: { type: 'string', nullable: true, description: 'Call data as hex, or init code' },
    estimate: { type: 'boolean', nullable: true, default: false, description: 'Answer with the gas that it needs' },
    from: address,
    gas: { type: 'integer', format: 'int64', nullable: true, minimum: Number(gasMin), default: 15_000_000 },
    gasPrice: amount,
    to: address,
    value: { ...amount, description: 'Tinybars' },
  },
}

/** Numbers are exact: amounts go beyond what a double holds. */
function parseMembers(bytes: Uint8Array): Members {
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(bytes).toString('utf8'), (_name: string, value: unknown, context?: unknown) => {
      const { source = '' } = (context ?? {}) as { source?: string }
      return typeof value === 'number' && /^-?\d+$/.test(source) ? BigInt(source) : value
    })
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : String(error))
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw unreadable('Expected an object')
  return parsed as Members
}

function unreadable(reason: string) {
  return invalidParameters([`JSON parse error: ${reason}`])
}

/** Throws `invalid_parameter` with a text for each rule that is broken. */
function readBody(members: Members, gasMax: bigint): CallBody {
  const block = textOf(members, 'block') ?? ''
  const data = textOf(members, 'data') ?? ''
  const from = textOf(members, 'from')
  const to = textOf(members, 'to') ?? ''
  const gas = integerOf(members, 'gas')
  const gasPrice = integerOf(members, 'gasPrice') ?? 0n
  const value = integerOf(members, 'value') ?? 0n
  const estimate = truthOf(members, 'estimate')
  const complaints = [
    (!hexForm.test(data) || data.length > dataDigitsMax) && 'data field invalid hexadecimal string',
    from !== undefined && !addressForm.test(from) && 'from field invalid hexadecimal string',
    to !== '' && !addressForm.test(to) && 'to field invalid hexadecimal string',
    value > 0n && from === undefined && 'from field must not be empty',
    value > 0n && from !== undefined && to === '' && !initCodeForm.test(data) && 'to field must not be empty',
    gas !== undefined && gas < gasMin && `gas field must be greater than or equal to ${gasMin}`,
    gas !== undefined && gas > gasMax && `gas field must be less than or equal to ${gasMax}`,
    gasPrice < 0n && 'gasPrice field must be greater than or equal to 0',
    value < 0n && 'value field must be greater than or equal to 0',
  ].filter((text) => text !== false)
  if (complaints.length > 0) throw invalidParameters(complaints)
  const digits = data.replace(/^0x/i, '')
  if (digits.length % 2 === 1) throw invalidParameters(['Odd number of characters.'])
  return {
    block,
    data: Buffer.from(digits, 'hex'),
    estimate,
    from: from === undefined ? undefined : addressOf(from),
    gas,
    gasPrice,
    to: to === '' ? undefined : addressOf(to),
    value,
  }
}

function addressOf(text: string): HexAddress {
  return `0x${text.replace(/^0x/i, '').toLowerCase()}`
}

/** Numbers stand for their texts, as is usual. */
function textOf(members: Members, name: string): string | undefined {
  const value = members[name] ?? undefined
  if (value === undefined || typeof value === 'string') return value
  if (typeof value === 'object') throw unreadable(`Cannot read '${name}' as a text`)
  return String(value)
}

function integerOf(members: Members, name: string): bigint | undefined {
  const given = members[name] ?? undefined
  if (given === undefined) return undefined
  const value = typeof given === 'string' && /^[+-]?\d{1,19}$/.test(given.trim()) ? BigInt(given) : given
  const isInteger = typeof value === 'bigint' && value <= maxInt64 && value >= -maxInt64 - 1n
  if (!isInteger) throw unreadable(`Cannot read '${name}' as a whole number of 64 bits`)
  return value
}

function truthOf(members: Members, name: string): boolean {
  const value = members[name] ?? false
  if (value === true || value === false) return value
  if (value === 'true' || value === 'false') return value === 'true'
  throw unreadable(`Cannot read '${name}' as true or false`)
}
