/** How much a compilation may take, and how many there may be. */
export interface CompilerLimits {
  /** For each compilation, and for loading a compiler; ms. */
  readonly compileMs: number
  /** Resident memory of a compiler's process, which takes some 150 MiB for itself. */
  readonly residentBytes: number
  readonly inputBytes: number
  readonly outputBytes: number
  /** Compilers that run at once. */
  readonly atOnce: number
  /** Requests that wait for one of them. */
  readonly waiting: number
  /** Compilers that are loaded beforehand, each of the versions used last, and how long one waits to be used; ms. */
  readonly spares: number
  readonly spareMs: number
}

const mebibyte = 1024 * 1024

export const defaultCompilerLimits: CompilerLimits = {
  compileMs: 60_000,
  residentBytes: 1024 * mebibyte,
  inputBytes: 10 * mebibyte,
  outputBytes: 64 * mebibyte,
  atOnce: 1,
  waiting: 16,
  spares: 1,
  spareMs: 10 * 60_000,
}
