import { compilerIn, lastTrailerStart, parseTrailer } from '#src/verification/cbor.ts'
import type { CreationMatch } from '#src/verification/match-creation.ts'
import type { RuntimeMatch } from '#src/verification/match-runtime.ts'
import { noMatch } from '#src/verification/no-match.ts'
import type { CompiledContract, Difference, NoMatch, NoMatchCode } from '#src/verification/outcome.ts'

const shownBytes = 32

/** Why contract and code do not match: where they differ first, and what may have caused that. */
export function diagnose(
  contract: CompiledContract,
  runtime: RuntimeMatch | undefined,
  creation: CreationMatch | undefined,
  stored: Buffer | undefined,
): NoMatch {
  const difference =
    runtime && stored
      ? differenceOf('runtime', runtime, stored)
      : creation && differenceOf('creation', creation, creation.stored)
  const code: NoMatchCode =
    runtime?.sign === 'same-metadata'
      ? 'extra_file_input_bug'
      : runtime?.sign === 'length'
        ? 'bytecode_length_mismatch'
        : 'no_match'
  const sentences = [
    difference ? describe(difference) : 'The compiled code is not that of the ledger',
    causeOf(code),
    otherCompiler(contract, stored ?? creation?.stored),
    nativeBuild(contract),
    creation?.hasOddArguments
      ? 'The creation code is the same, but what follows is not what the constructor takes'
      : '',
  ]
  return noMatch(code, sentences.filter((each) => each !== '').join('. '), { difference: difference ?? null, contract })
}

/** Undefined where all that was compared is the same. */
function differenceOf(
  code: Difference['code'],
  { differsAt, filled }: Pick<RuntimeMatch, 'differsAt' | 'filled'>,
  stored: Buffer,
): Difference | undefined {
  if (differsAt === null) return undefined
  const from = (bytes: Buffer) => bytes.subarray(differsAt, differsAt + shownBytes).toString('hex')
  return {
    code,
    offset: differsAt,
    compiled: from(filled),
    stored: from(stored),
    compiledLength: filled.length,
    storedLength: stored.length,
  }
}

function describe({ code, offset, compiled, stored, compiledLength, storedLength }: Difference): string {
  const lengths =
    compiledLength === storedLength
      ? `Both have ${storedLength} bytes`
      : `The compiled one has ${compiledLength} bytes, that of the ledger ${storedLength}`
  const shown = (digits: string) => (digits === '' ? 'its end' : `0x${digits.slice(0, 16)}`)
  return `The ${code} code differs from byte ${offset} on: compiled ${shown(compiled)}, on the ledger ${shown(stored)}. ${lengths}`
}

function causeOf(code: NoMatchCode): string {
  if (code !== 'extra_file_input_bug') return ''
  return 'The metadata are the same: either the compiler was given further files at the time, all of which are needed, or the code on the ledger is not what a compiler made of these sources'
}

/** Code of the last years says which compiler it is of. */
function otherCompiler({ compilerVersion }: CompiledContract, stored: Buffer | undefined): string {
  const start = stored && lastTrailerStart(stored)
  const said = stored && start !== undefined ? compilerIn(parseTrailer(stored.subarray(start))) : undefined
  const used = compilerVersion.replace(/\+.*/, '')
  return said === undefined || said.replace(/\+.*/, '') === used
    ? ''
    : `The code on the ledger says that it is of compiler ${said}, and ${used} was used`
}

/** Native builds of compilers before 0.8.21 order what the intermediate representation holds otherwise than those that run here. */
function nativeBuild({ compilerVersion, settings }: CompiledContract): string {
  const [, minor = 0, patch = 0] = compilerVersion.replace(/\+.*/, '').split('.').map(Number)
  const isConcerned = settings['viaIR'] === true && (minor < 8 || (minor === 8 && patch < 21)) && !isOptimized(settings)
  return isConcerned ? 'A native build of this compiler may have made other code of the same sources' : ''
}

export function isOptimized(settings: CompiledContract['settings']): boolean {
  const optimizer = settings['optimizer']
  return typeof optimizer === 'object' && optimizer !== null && 'enabled' in optimizer && optimizer.enabled === true
}
