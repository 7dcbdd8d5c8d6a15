import {
  addressOf,
  type Complaints,
  digitsOf,
  integerOf,
  type Members,
  objectsOf,
  textOf,
  valuesOf,
} from '#queries/contract-calls/body/members.ts'
import type { AccessListEntry } from '#src/evm/access-lists.ts'
import type { Authorization } from '#src/evm/authorizations.ts'

const entriesMax = 1_000
const wordDigits = 64

export function readAccessList(members: Members, complaints: Complaints, path = ''): AccessListEntry[] {
  const field = `${path}accessList`
  return entriesOf(members, 'access_list', complaints, field).map((entry, at) => {
    const address = textOf(entry, 'address')
    complaints.when(address === undefined, `${field}[${at}].address`, 'must not be null')
    complaints.address(`${field}[${at}].address`, address)
    const storageKeys = valuesOf(entry, 'storage_keys').map((key, place) => {
      const text = typeof key === 'string' ? key : undefined
      complaints.when(text === undefined, `${field}[${at}].storageKeys[${place}]`, 'must be a hexadecimal string')
      complaints.hex(`${field}[${at}].storageKeys[${place}]`, text, wordDigits)
      return wordOf(text)
    })
    return { address: addressOf(address ?? ''), storageKeys }
  })
}

export function readAuthorizations(members: Members, complaints: Complaints, path = ''): Authorization[] {
  const field = `${path}authorizationList`
  return entriesOf(members, 'authorization_list', complaints, field).map((entry, at) => {
    const own = `${field}[${at}]`
    const [address, chainId, yParity] = ['address', 'chain_id', 'y_parity'].map((name) => textOf(entry, name))
    const [r, s] = [textOf(entry, 'r'), textOf(entry, 's')]
    complaints.when(address === undefined, `${own}.address`, 'must not be null')
    complaints.address(`${own}.address`, address)
    complaints.hex(`${own}.chainId`, chainId, wordDigits)
    complaints.hex(`${own}.yParity`, yParity, wordDigits)
    complaints.hex(`${own}.r`, r, wordDigits)
    complaints.hex(`${own}.s`, s, wordDigits)
    return {
      address: addressOf(address ?? ''),
      chainId: numberOf(chainId),
      nonce: integerOf(entry, 'nonce') ?? 0n,
      yParity: numberOf(yParity) === 0n ? 0 : 1,
      r: wordOf(r),
      s: wordOf(s),
    }
  })
}

function entriesOf(members: Members, name: string, complaints: Complaints, field: string): Members[] {
  const given = objectsOf(members, name)
  complaints.when(given.length > entriesMax, field, `size must be between 0 and ${entriesMax}`)
  return given
}

/** 0 for what is no hex either, which is complained about. */
function numberOf(hex: string | undefined): bigint {
  const digits = digitsOf(hex ?? '')
  return /^[0-9a-f]+$/.test(digits) ? BigInt(`0x${digits}`) : 0n
}

function wordOf(hex: string | undefined): `0x${string}` {
  return `0x${digitsOf(hex ?? '').padStart(wordDigits, '0')}`
}
