import type { VerificationEventData } from '#schemas/decisions/verification.ts'

/** What is kept of a match beside the columns that it is found by. */
export type VerifiedFacts = Pick<
  VerificationEventData<'ContractVerified'>,
  | 'created_by'
  | 'compiler_sha256'
  | 'metadata'
  | 'artifacts'
  | 'sources'
  | 'unused'
  | 'libraries'
  | 'immutables'
  | 'call_protection'
  | 'constructor_arguments'
  | 'implementation'
  | 'code_as_of'
>

export interface CodeRange {
  readonly start: number
  readonly length: number
}

/** What stands in a column of packed values is what `pack` of the same type put there. */
export function unpack<T extends VerifiedFacts | readonly CodeRange[]>(text: string): T {
  return JSON.parse(text) as T
}

export function pack<T extends VerifiedFacts | readonly CodeRange[]>(value: T): string {
  return JSON.stringify(value)
}
