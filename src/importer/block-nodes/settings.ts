export interface BlockNodesSettings {
  /** A node is set aside when so many of its subscriptions failed one after the other. */
  readonly failuresMax: number
  /** Milliseconds until a node that was set aside is as good as any. */
  readonly readmitDelayMs: number
  /** A stream moves to a faster node after so many milliseconds at the earliest, and where so many are gained. */
  readonly moveIntervalMs: number
  readonly moveGainMs: number
  /** Milliseconds between two looks at how fast another node is: from the one to the other, by chance. */
  readonly probePauseMinMs: number
  readonly probePauseMaxMs: number
  readonly probeTimeoutMs: number
  /** Who takes more milliseconds for a block is slow himself: what comes next says nothing about the node. */
  readonly slowConsumerMs: number
  /** A block that is older when it arrives says how far behind we are, and nothing about the node. */
  readonly latencyMsMax: number
  /** What was measured longer ago says nothing any more. */
  readonly latencyAgeMsMax: number
}

export const blockNodesDefaults = {
  failuresMax: 3,
  readmitDelayMs: 60_000,
  moveIntervalMs: 10_000,
  moveGainMs: 50,
  probePauseMinMs: 5_000,
  probePauseMaxMs: 10_000,
  probeTimeoutMs: 5_000,
  slowConsumerMs: 1_000,
  latencyMsMax: 10_000,
  latencyAgeMsMax: 120_000,
} as const satisfies BlockNodesSettings
