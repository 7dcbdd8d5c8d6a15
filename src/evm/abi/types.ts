/** A type of the contract ABI. What is dynamic stands behind an offset. */
export type AbiType =
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'bool' | 'address' | 'bytes' | 'string' | 'word' }
  | { readonly kind: 'array'; readonly element: AbiType }
  | { readonly kind: 'tuple'; readonly members: readonly AbiType[] }

export type AbiTuple = Extract<AbiType, { kind: 'tuple' }>

/** A number, a truth value, an address or text, bytes, or several of them. */
export type AbiValue = bigint | boolean | string | Uint8Array | readonly AbiValue[]

/** Types by the names that signatures of this project give them; what a name stands for may use others. */
export type AbiNames = Readonly<Record<string, string>>

const integer = /^(u?int)(\d+)$/
const simple: ReadonlySet<string> = new Set(['bool', 'address', 'bytes', 'string'])

/** Replaces names by what they stand for: what is left is as Solidity writes it. */
export function expandNames(text: string, names: AbiNames): string {
  return text.replace(/\b[A-Z]\w*/g, (name) => {
    const meant = names[name]
    if (meant === undefined) throw new Error(`${name} is no type of the ABI`)
    return expandNames(meant, names)
  })
}

/** Reads a tuple, `(int64,(address,bytes)[])`, without names. */
export function parseTuple(text: string): AbiTuple {
  const members = splitMembers(text.slice(1, -1)).map(parseType)
  return { kind: 'tuple', members }
}

function parseType(text: string): AbiType {
  if (text.endsWith('[]')) return { kind: 'array', element: parseType(text.slice(0, -2)) }
  if (text.startsWith('(')) return parseTuple(text)
  if (text === 'bytes32') return { kind: 'word' }
  if (simple.has(text)) return { kind: text as 'bool' }
  const [, kind, bits] = integer.exec(text) ?? []
  if (kind === undefined) throw new Error(`${text} is no type of the ABI`)
  return { kind: kind as 'uint', bits: Number(bits) }
}

function splitMembers(text: string): string[] {
  const members: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')') depth--
    else if (text[at] === ',' && depth === 0) {
      members.push(text.slice(start, at))
      start = at + 1
    }
  }
  if (text !== '') members.push(text.slice(start))
  return members
}

export function isDynamic(type: AbiType): boolean {
  if (type.kind === 'tuple') return type.members.some(isDynamic)
  return type.kind === 'array' || type.kind === 'bytes' || type.kind === 'string'
}

/** The value that stands where there is nothing. */
export function zeroOf(type: AbiType): AbiValue {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return 0n
    case 'bool':
      return false
    case 'string':
      return ''
    case 'address':
      return `0x${'0'.repeat(40)}`
    case 'bytes':
      return new Uint8Array(0)
    case 'word':
      return new Uint8Array(32)
    case 'array':
      return []
    default:
      return type.members.map(zeroOf)
  }
}
