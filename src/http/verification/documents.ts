import { createHash } from 'node:crypto'
import type { VerifiedContract } from '#commands/verification/events.ts'
import { libraryMapOf, type Verdict } from '#src/http/verification/verifier.ts'

/** A contract as the session's page shows it. */
export interface SessionContract {
  readonly verificationId: string
  readonly compiledPath: string
  readonly name: string
  readonly compilerVersion: string
  /** Neither is known until it is verified. */
  readonly address?: string
  readonly chainId?: string
  readonly files: { readonly found: readonly string[]; readonly missing: readonly string[] }
  readonly status: 'perfect' | 'partial' | 'extra-file-input-bug' | 'error'
  readonly statusMessage?: string
  readonly storageTimestamp?: string
}

/** The entry of the direct answer. A mismatch has no status, and says why. */
export function directResult({ contract, address, outcome }: Verdict): object {
  const named = { address, chainId: contract.chain }
  const { verified, failed } = outcome
  if (verified === undefined) {
    const status = failed?.code === 'extra_file_input_bug' ? 'extra-file-input-bug' : null
    return { ...named, status, ...(failed && { message: failed.message, code: failed.code }), libraryMap: {} }
  }
  return {
    ...named,
    status: verified.match,
    libraryMap: libraryMapOf(verified),
    storageTimestamp: verified.at,
    ...claimsOf(verified),
    entityId: contract.entity,
  }
}

/** What a reader needs to judge a match: what is taken from the ledger is not checked. */
function claimsOf(verified: VerifiedContract) {
  const { libraries, immutables, constructor_arguments, implementation } = verified
  return {
    contractName: verified.name,
    compilerVersion: verified.compiler_version,
    runtimeMatch: verified.runtime_match,
    creationMatch: verified.creation_match,
    libraries: Object.fromEntries(libraries.map(({ name, address }) => [name, `0x${address}`])),
    immutables,
    abiEncodedConstructorArguments: constructor_arguments,
    ...(implementation !== null && { implementation }),
  }
}

/** Its entry in a session, with the labels that nothing used. */
export function sessionEntry({ contract, address, outcome }: Verdict): { contract: SessionContract; unused: string[] } {
  const named = { address, chainId: contract.chain }
  const { verified, failed, fetched } = outcome
  if (verified !== undefined) {
    const { path, name, compiler_version: compilerVersion, sources, match, at, unused } = verified
    const id = verificationIdOf(verified.metadata ?? verified.artifacts)
    const files = { found: Object.keys(sources), missing: [] }
    const compiled = { verificationId: id, compiledPath: path, name, compilerVersion }
    return { contract: { ...compiled, ...named, files, status: match, storageTimestamp: at }, unused }
  }
  const { target_path, target_name: name = '', compiler_version: compilerVersion = '', sources = {} } = fetched ?? {}
  const files = { found: Object.keys(sources), missing: [] }
  const compiled = { verificationId: verificationIdOf(fetched?.input ?? address), compiledPath: target_path ?? '' }
  const status = failed?.code === 'extra_file_input_bug' ? 'extra-file-input-bug' : 'error'
  const statusMessage = failed?.message ?? ''
  return { contract: { ...compiled, name, compilerVersion, ...named, files, status, statusMessage }, unused: [] }
}

const hashForm = /^[0-9a-f]{64}$/

/** 0x and the SHA-256 of the metadata; of what is to be compiled where that is not known. */
export function verificationIdOf(text: string): string {
  return `0x${hashForm.test(text) ? text : createHash('sha256').update(text).digest('hex')}`
}
