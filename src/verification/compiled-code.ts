import { keccak256 } from '#src/domain/keccak.ts'
import { entriesAt, listAt, textAt, valueAt } from '#src/verification/json.ts'
import type { CodeRange } from '#src/verification/outcome.ts'

/** Where the address of a library goes. */
export interface Link extends CodeRange {
  /** `path:Name` */
  readonly name: string
  readonly placeholder: string
}

export interface ImmutableReference extends CodeRange {
  readonly id: string
}

/** Code as a compiler makes it, with zeros where something is put in later. */
export interface CompiledCode {
  readonly bytes: Buffer
  readonly links: readonly Link[]
  readonly immutables: readonly ImmutableReference[]
}

const addressBytes = 20
const placeholderDigits = 2 * addressBytes

/** Code of `evm.bytecode` or `evm.deployedBytecode`; undefined where that is none, or its places are outside of it. */
export function readCompiledCode(bytecode: unknown): CompiledCode | undefined {
  let digits = textAt(bytecode, 'object') ?? ''
  const links = linksOf(bytecode, digits)
  for (const { start } of links)
    digits = digits.slice(0, 2 * start) + '0'.repeat(placeholderDigits) + digits.slice(2 * start + placeholderDigits)
  if (digits.length % 2 !== 0 || !/^[0-9a-f]*$/.test(digits)) return undefined
  const bytes = Buffer.from(digits, 'hex')
  const immutables = entriesAt(bytecode, 'immutableReferences').flatMap(([id, places]) =>
    rangesIn(places).map((range) => ({ id, ...range })),
  )
  const isInside = ({ start, length }: CodeRange) => start >= 0 && length > 0 && start + length <= bytes.length
  return [...links, ...immutables].every(isInside) ? { bytes, links, immutables } : undefined
}

/** Only places where the code has the placeholder of that very library: any other difference is one. */
function linksOf(bytecode: unknown, digits: string): Link[] {
  return entriesAt(bytecode, 'linkReferences').flatMap(([path, libraries]) =>
    entriesAt(libraries).flatMap(([library, places]) =>
      rangesIn(places).flatMap(({ start }) => {
        const name = `${path}:${library}`
        const placeholder = digits.slice(2 * start, 2 * start + placeholderDigits)
        const isOne = placeholder === placeholderOf(name) || placeholder === oldPlaceholderOf(name)
        return isOne ? [{ name, placeholder, start, length: addressBytes }] : []
      }),
    ),
  )
}

function rangesIn(places: unknown): CodeRange[] {
  return listAt(places).flatMap((place) => {
    const [start, length] = [valueAt(place, 'start'), valueAt(place, 'length')]
    return Number.isSafeInteger(start) && Number.isSafeInteger(length)
      ? [{ start: start as number, length: length as number }]
      : []
  })
}

function placeholderOf(name: string): string {
  return `__$${keccak256(Buffer.from(name)).toString('hex').slice(0, 34)}$__`
}

/** Before version 0.5. */
function oldPlaceholderOf(name: string): string {
  return `__${name.slice(0, placeholderDigits - 4)}`.padEnd(placeholderDigits, '_')
}
