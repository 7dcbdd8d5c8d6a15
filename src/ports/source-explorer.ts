/** Sources of a contract as somebody else publishes them: claims, which verification holds against the code. */
export interface PublishedSources {
  /** How the explorer wrote them down. */
  readonly form: 'single-file' | 'multi-file' | 'standard-json'
  readonly language: 'Solidity'
  /** `0.8.30+commit.73712a01` */
  readonly compilerVersion: string
  readonly target: {
    /** undefined: whichever file declares it. */
    readonly path: string | undefined
    readonly name: string
  }
  /** Texts by path. Paths are labels. */
  readonly sources: ReadonlyMap<string, string>
  /** Of the compiler, without its output selection. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Addresses with 0x by the plain names of libraries, where they stand beside the settings. */
  readonly libraries: ReadonlyMap<string, string>
  /** What the explorer believes that a proxy passes calls on to. */
  readonly implementation: string | undefined
}

export interface ExplorerRequest {
  readonly chain: string
  /** Forty lower-case hex digits. */
  readonly address: string
  /** Of the caller, in place of a configured one. It stands in the outgoing request and nowhere else. */
  readonly apiKey?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface FoundSources {
  /** Name of the explorer that had them. */
  readonly explorer: string
  readonly published: PublishedSources
}

/** Where others publish sources of contracts. */
export interface SourceExplorers {
  /** Whether any is configured for the chain. */
  has(chain: string): boolean
  /** Asks those of the chain in order. Rejects with a `VerificationProblem`. */
  find(request: ExplorerRequest): Promise<FoundSources>
}
