import {
  addressOf,
  bytesOf,
  type Complaints,
  digitsOf,
  type Members,
  objectOf,
  objectsOf,
  textOf,
} from '#queries/contract-calls/body/members.ts'
import { maxInt64 } from '#src/domain/ledger-time.ts'
import type { BlockOverride, StateOverride } from '#src/evm/overrides.ts'

const overridesMax = 10
const slotsMax = 100
const quantityDigitsMax = 16

/** What a body says of accounts. What is wrong with it is complained about, and then nothing of it is to be used. */
export function readStateOverrides(members: Members, complaints: Complaints, path = ''): StateOverride[] {
  const given = objectsOf(members, 'state_overrides')
  const field = `${path}stateOverrides`
  complaints.when(given.length > overridesMax, field, `size must be between 0 and ${overridesMax}`)
  return given.map((each, at) => readOverride(each, complaints, `${field}[${at}]`))
}

function readOverride(members: Members, complaints: Complaints, field: string): StateOverride {
  const [address, code] = [textOf(members, 'address'), textOf(members, 'code')]
  complaints.when(address === undefined, `${field}.address`, 'must not be null')
  complaints.address(`${field}.address`, address)
  complaints.hex(`${field}.code`, code)
  const state = readSlots(members, 'state', complaints, `${field}.state`)
  const stateDiff = readSlots(members, 'state_diff', complaints, `${field}.stateDiff`)
  complaints.when(state.size > 0 && stateDiff.size > 0, field, 'state and state_diff are mutually exclusive')
  return {
    address: addressOf(address ?? ''),
    balance: readQuantity(members, 'balance', complaints, `${field}.balance`),
    nonce: readQuantity(members, 'nonce', complaints, `${field}.nonce`),
    code: code === undefined ? undefined : safeBytes(code, complaints, `${field}.code`),
    slots: new Map([...state, ...stateDiff]),
    isWholeStorage: state.size > 0,
  }
}

/** Half a byte is complained about by field: there are several codes. */
function safeBytes(hex: string, complaints: Complaints, field: string): Buffer {
  const isWhole = digitsOf(hex).length % 2 === 0
  complaints.when(!isWhole, field, 'must have an even number of digits')
  return isWhole ? bytesOf(hex) : Buffer.alloc(0)
}

function readSlots(members: Members, name: string, complaints: Complaints, field: string): Map<string, Uint8Array> {
  const given = objectsOf(members, name)
  complaints.when(given.length > slotsMax, field, `size must be between 0 and ${slotsMax}`)
  return new Map(
    given.map((entry, at) => {
      const [key, value] = [textOf(entry, 'key'), textOf(entry, 'value')]
      complaints.word(`${field}[${at}].key`, key)
      complaints.word(`${field}[${at}].value`, value)
      return [`0x${digitsOf(key ?? '')}`, wordBytes(digitsOf(value ?? ''))]
    }),
  )
}

/** Without leading zeros, as slots are kept. */
function wordBytes(digits: string): Uint8Array {
  return Buffer.from(digits.replace(/^(00)+/, ''), 'hex')
}

/** Hex digits, whether or not 0x stands before them. */
function readQuantity(members: Members, name: string, complaints: Complaints, field: string): bigint | undefined {
  const text = textOf(members, name)
  if (text === undefined) return undefined
  complaints.hex(field, text, quantityDigitsMax)
  const digits = digitsOf(text)
  const value = /^[0-9a-f]{1,16}$/.test(digits) ? BigInt(`0x${digits}`) : 0n
  complaints.when(value > maxInt64, field, `must be less than or equal to ${maxInt64}`)
  return value
}

export function readBlockOverride(members: Members, complaints: Complaints, path = ''): BlockOverride | undefined {
  const given = objectOf(members, 'block_override')
  if (given === undefined) return undefined
  const field = `${path}blockOverride`
  return {
    number: readQuantity(given, 'number', complaints, `${field}.number`),
    time: readQuantity(given, 'time', complaints, `${field}.time`),
  }
}
