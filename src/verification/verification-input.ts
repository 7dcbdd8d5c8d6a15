/** A value of JSON, as settings of a compiler are. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** A library that a deployer named beside the compiler's input, as explorers do: by name alone or as `path:Name`. */
export interface NamedLibrary {
  readonly name: string
  /** 40 hex digits, without 0x. */
  readonly address: string
}

/** The contract that is meant. */
export interface Target {
  readonly name: string
  /** Label of the source that declares it; undefined: the only one that does. */
  readonly path: string | undefined
}

/** What somebody claims that a contract was compiled from. */
export interface VerificationInput {
  readonly language: 'Solidity' | 'Yul'
  /** `0.8.30+commit.73712a01` or `0.8.30`; a leading `v` is taken off. */
  readonly compilerVersion: string
  /** Texts by label. A label is never used as a path. */
  readonly sources: ReadonlyMap<string, string>
  /** As in standard JSON. What output is wanted is set by us, whatever is said here. */
  readonly settings: { readonly [key: string]: Json }
  readonly target: Target
  /**
   * Tried when the outcome is no perfect match without them: where a library was linked by the compiler, its address is in the metadata.
   * Libraries inside the settings are used as they are.
   */
  readonly libraries: readonly NamedLibrary[]
}
