import type { Refusal } from '#queries/common/parameters.ts'

/** The body of a request, and how it is read. */
export interface Payload<T> {
  /** Media types without parameters, in lower case. */
  readonly types: readonly string[]
  readonly description: string
  /** JSON schema, for the documentation. */
  readonly schema: object
  /** A longer body is refused with 413. */
  readonly bytesMax: number
  /** undefined when it cannot be read, a refusal where a rule gives the text. */
  readonly parse: (bytes: Uint8Array) => T | Refusal | undefined
}

type PayloadTexts = Pick<Payload<unknown>, 'description' | 'bytesMax'>

/** Bytes of these media types, as they are. */
export function bytesPayload(types: readonly string[], texts: PayloadTexts): Payload<Uint8Array> {
  return { ...texts, types, schema: { type: 'string', format: 'binary' }, parse: (bytes) => bytes }
}

/** JSON that `read` knows how to type. */
export function jsonPayload<T>(
  read: (value: unknown) => T | Refusal | undefined,
  { schema, ...texts }: PayloadTexts & { readonly schema: object },
): Payload<T> {
  return {
    ...texts,
    types: ['application/json'],
    schema,
    parse: (bytes) => {
      const value = parseJson(bytes)
      return value === undefined ? undefined : read(value)
    },
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
