import type { NoMatch, NoMatchCode } from '#src/verification/outcome.ts'

export function noMatch(
  code: NoMatchCode,
  message: string,
  more: Partial<Pick<NoMatch, 'difference' | 'compilerErrors' | 'contract'>> = {},
): NoMatch {
  return { status: null, code, message, difference: null, compilerErrors: [], contract: null, ...more }
}
