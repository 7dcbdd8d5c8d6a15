/** A compiler of Solidity that can be used here. */
export interface Compiler {
  /** As a release is called: `0.8.30`. */
  readonly version: string
  /** As it names itself, and as explorers and metadata name it: `0.8.30+commit.73712a01`. */
  readonly longVersion: string
  /** Of its file, which is checked before each use, in hex digits. */
  readonly sha256: string
  /** Installed with the product, or added by an operator. */
  readonly origin: 'bundled' | 'added'
}

/**
 * Compiles a standard JSON input and resolves with the standard JSON output, as texts. What the source does wrong is in the output;
 * rejects with `compilation_limit` when it takes too long, too much memory or says too much, and with `compilation_failed` when the
 * compiler ends without an answer. After either, the compiler is gone: every later call rejects the same.
 */
export type Compile = (input: string) => Promise<string>

/**
 * Compilers, each run where it reaches neither files nor network nor this process: names of sources are labels, imports resolve from
 * the given sources alone.
 */
export interface Compilers {
  /** What can be used now, oldest first. */
  list(): Promise<readonly Compiler[]>
  /**
   * Hands a compiler to `work`, of its own, until that is done; its compilations run one after the other. The version is `0.8.30` or
   * `0.8.30+commit.73712a01`, of which the latter never gets a compiler of another commit. Rejects with `compiler_missing`, which
   * names the command that adds it, with `compiler_damaged`, with `overloaded` when too many wait, or with the signal's reason.
   */
  use<T>(version: string, work: (compile: Compile, compiler: Compiler) => Promise<T>, signal: AbortSignal): Promise<T>
  /** Ends what runs; what waits is rejected. */
  close(): Promise<void>
}
