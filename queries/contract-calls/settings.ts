/** How calls of contracts are run and bounded. */
export interface ContractCallSettings {
  /** Name of the network: its rules follow from it. */
  readonly network: string
  /** Version of the network's EVM whatever the block; by network and block unless given. */
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
  /** Whether transactions are traced, and how many a second. */
  readonly traces: boolean
  readonly tracesPerSecond: number
  /** Share of the gas that was not used and is given back, in percent. */
  readonly gasGivenBackPercent: number
}

export const defaultCallSettings: ContractCallSettings = {
  network: 'other',
  evmVersion: undefined,
  gasMax: 15_000_000n,
  validatePayerBalance: true,
  threads: 2,
  waitingMax: 64,
  deadlineMs: 10_000,
  requestsPerSecond: 500,
  gasPerSecond: 7_500_000_000n,
  gasGivenBackPercent: 100,
  traces: true,
  tracesPerSecond: 1,
}
