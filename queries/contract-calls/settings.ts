/** How calls of contracts are run and bounded. */
export interface ContractCallSettings {
  /** Version of the network's EVM whatever the block; that of the block unless given. */
  readonly evmVersion: string | undefined
  /** Most gas that a request may ask for, and what it has unless it says. */
  readonly gasMax: bigint
  /** Whether who says what a call pays needs to have it. */
  readonly validatePayerBalance: boolean
  /** Calls that run at once, that wait for one of these, and how long a call may take, waiting included. */
  readonly threads: number
  readonly waitingMax: number
  readonly deadlineMs: number
  readonly requestsPerSecond: number
  readonly gasPerSecond: bigint
  /** Whether calls may say what state they find. */
  readonly stateOverrides: boolean
  /** Whether several calls are run on what each leaves. */
  readonly simulations: boolean
  /** Whether calls and transactions are traced, and how many transactions a second. */
  readonly traces: boolean
  readonly tracesPerSecond: number
  /** Share of the gas that was not used and is given back, in percent. */
  readonly gasGivenBackPercent: number
}

export const defaultCallSettings: ContractCallSettings = {
  evmVersion: undefined,
  gasMax: 15_000_000n,
  validatePayerBalance: true,
  threads: 2,
  waitingMax: 64,
  deadlineMs: 10_000,
  requestsPerSecond: 500,
  gasPerSecond: 7_500_000_000n,
  gasGivenBackPercent: 100,
  stateOverrides: true,
  simulations: true,
  traces: true,
  tracesPerSecond: 1,
}
