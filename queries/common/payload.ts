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
