import { asBuffer } from '#src/domain/bytes.ts'
import type { CreationCode } from '#src/verification/chain-code.ts'
import { type Comparison, compareCode, type Trailers } from '#src/verification/compare-code.ts'
import type { CompiledCode } from '#src/verification/compiled-code.ts'
import { areConstructorArguments } from '#src/verification/constructor-arguments.ts'
import type { MatchType } from '#src/verification/outcome.ts'
import type { Json } from '#src/verification/verification-input.ts'

/** What the comparison with one creation code came to. */
export interface CreationMatch extends Comparison {
  readonly kind: CreationCode['kind']
  /** What it was compared with, the arguments included. */
  readonly stored: Buffer
  /** What stands behind the code; null where that is unknown. */
  readonly constructorArguments: Buffer | null
  /** The code fits, and what stands behind it is not what the constructor takes. */
  readonly hasOddArguments: boolean
}

const ranks = { perfect: 2, partial: 1 } as const

/** The better of two, and of equal ones the first. */
export function rankOf(match: MatchType | null): number {
  return match === null ? 0 : ranks[match]
}

/** The best of what several creation codes come to; undefined where there are none. */
export function matchCreation(
  code: CompiledCode,
  trailers: Trailers,
  abi: readonly Json[],
  creations: readonly CreationCode[],
  runtimeMatch: MatchType | null,
): CreationMatch | undefined {
  let best: CreationMatch | undefined
  for (const creation of creations) {
    const found =
      creation.kind === 'within-factory'
        ? atMost(runtimeMatch, matchWithin(code, trailers, asBuffer(creation.code)))
        : matchBeginning(code, trailers, abi, creation)
    if (best === undefined || rankOf(found.match) > rankOf(best.match)) best = found
  }
  return best
}

function matchBeginning(
  code: CompiledCode,
  trailers: Trailers,
  abi: readonly Json[],
  creation: Exclude<CreationCode, { kind: 'within-factory' }>,
): CreationMatch {
  const appended = creation.kind === 'file' ? creation.constructorArguments : Buffer.alloc(0)
  const stored = Buffer.concat([creation.code, appended])
  const length = code.bytes.length
  const compared = compareCode(code, trailers, stored.subarray(0, length))
  const rest = stored.subarray(length)
  const fits = compared.match !== null && areConstructorArguments(abi, rest)
  return {
    ...compared,
    match: fits ? compared.match : null,
    kind: creation.kind,
    stored,
    constructorArguments: fits ? rest : null,
    hasOddArguments: compared.match !== null && !fits,
  }
}

/** Most places in the code of a factory that are compared. */
const placesMax = 1_000

/** Where the code of a factory has the same bytes up to the first that may differ, it is compared as a whole. */
function matchWithin(code: CompiledCode, trailers: Trailers, factory: Buffer): CreationMatch {
  const starts = [...code.links, ...trailers.ranges].map(({ start }) => start)
  const beginning = code.bytes.subarray(0, Math.min(code.bytes.length, ...starts))
  const rest = { kind: 'within-factory', stored: factory, constructorArguments: null, hasOddArguments: false } as const
  let best: CreationMatch | undefined
  let at = factory.indexOf(beginning)
  for (let tried = 0; at >= 0 && tried < placesMax; tried++) {
    const compared = compareCode(code, trailers, factory.subarray(at, at + code.bytes.length))
    if (rankOf(compared.match) > rankOf(best?.match ?? null)) best = { ...compared, ...rest }
    at = factory.indexOf(beginning, at + 1)
  }
  return best ?? { ...compareCode(code, trailers, Buffer.alloc(0)), ...rest }
}

/** Such code says what a factory can make, not what it has made: that, the runtime code shows. */
function atMost(runtimeMatch: MatchType | null, found: CreationMatch): CreationMatch {
  return rankOf(found.match) > rankOf(runtimeMatch) ? { ...found, match: runtimeMatch } : found
}
