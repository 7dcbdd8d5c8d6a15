import type { CreationCode } from '#src/verification/chain-code.ts'
import type { Json } from '#src/verification/verification-input.ts'

/** `perfect`: names and comments are the same, too, as a hash within the code proves. `partial`: the instructions are. */
export type MatchType = 'perfect' | 'partial'

/** Why there is no match; the established codes where there is one. */
export type NoMatchCode =
  /** No code is known of the address. */
  | 'contract_not_deployed'
  /** The compiler reports errors. */
  | 'compiler_error'
  /** The compiler answers something that is no output. */
  | 'no_compiler_output'
  /** Nothing that was compiled is called so. */
  | 'contract_not_found_in_compiler_output'
  /** Several sources declare a contract of that name, and none was named. */
  | 'contract_ambiguous'
  /** An abstract contract or an interface. */
  | 'compiled_bytecode_is_zero'
  | 'bytecode_length_mismatch'
  | 'no_match'
  /** Other code with the same metadata: files that were not used changed it, or the code is not the compiler's. */
  | 'extra_file_input_bug'
  /** Neither long version nor release. */
  | 'invalid_compiler_version'

/** Bytes `start` to `start + length` of a code. */
export interface CodeRange {
  readonly start: number
  readonly length: number
}

/** Where two codes differ first. Bytes as hex digits, at most 32 from there on; empty where a code has ended. */
export interface Difference {
  readonly code: 'runtime' | 'creation'
  readonly offset: number
  readonly compiled: string
  readonly stored: string
  readonly compiledLength: number
  readonly storedLength: number
}

/** A library that the code calls, with the address that the code on the ledger has: taken from there, not checked. */
export interface LinkedLibrary {
  /** `path:Name`; before 0.5 as far as the placeholder has it. */
  readonly name: string
  /** What the compiler leaves in the code: `__$..$__`, or `__path:Name____`. */
  readonly placeholder: string
  /** 40 hex digits, without 0x. */
  readonly address: string
}

/** Values of a contract's immutables by the compiler's id of their declaration, as `0x` and hex digits. */
export type Immutables = Readonly<Record<string, string>>

/** What the target was compiled to. All of it is known as soon as it compiles. */
export interface CompiledContract {
  readonly name: string
  readonly path: string
  /** As the compiler that was used names itself. */
  readonly compilerVersion: string
  readonly compilerSha256: string
  /** The metadata document, as the compiler wrote it; its bytes are what the hash in the code is of. undefined where the compiler writes none (Yul). */
  readonly metadata: string | undefined
  readonly abi: readonly Json[]
  /** Labels of the sources that the metadata names: what is kept. The other ones are unused. */
  readonly sources: readonly string[]
  /** The settings it was compiled with, libraries included. */
  readonly settings: { readonly [key: string]: Json }
  readonly userdoc: Json
  readonly devdoc: Json
  readonly storageLayout: Json
  /** As compiled, before anything was taken from the ledger; hex digits with placeholders. */
  readonly runtimeCode: string
  readonly creationCode: string
  readonly warnings: readonly string[]
}

export interface Match {
  /** The better of the two below. */
  readonly status: MatchType
  readonly runtimeMatch: MatchType | null
  readonly creationMatch: MatchType | null
  /** What the creation match is proved by. */
  readonly createdBy: CreationCode['kind'] | null
  readonly contract: CompiledContract
  readonly libraries: readonly LinkedLibrary[]
  /** Address by placeholder, as the established API has it. */
  readonly libraryMap: Readonly<Record<string, string>>
  readonly immutables: Immutables
  /** Address that a library carries against being called itself, `0x` and 40 digits; null for other contracts. */
  readonly callProtection: string | null
  /** ABI-encoded, `0x` and hex digits; null where there are none or they are unknown. */
  readonly constructorArguments: string | null
  /** For finding clones, of a runtime match: which bytes of the runtime code depend on the instance or on names and comments. */
  readonly varying: readonly CodeRange[]
  /** sha256 of the runtime code with zeros in those places (`maskedHash`), hex digits; null without a runtime match. */
  readonly maskedHash: string | null
}

export interface NoMatch {
  readonly status: null
  readonly code: NoMatchCode
  /** A sentence for whoever asked: what differs first, and what may be the cause. */
  readonly message: string
  readonly difference: Difference | null
  /** Of the compiler, when `code` is `compiler_error`: its formatted messages. */
  readonly compilerErrors: readonly string[]
  /** Null where it does not compile. */
  readonly contract: CompiledContract | null
}

export type Outcome = Match | NoMatch
