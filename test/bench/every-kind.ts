import { mixPresets } from '#src/simulator/mix.ts'
import type { StageOptions } from '#test/bench/stages.ts'

/** Of a ledger whose pages are full: few accounts, which have much of what the standard mix has little of. */
export const everyKind = {
  accounts: 150,
  blockTransactions: 200,
  mix: {
    ...mixPresets.default,
    weights: {
      ...mixPresets.default.weights,
      cryptoApproveAllowance: 12,
      nftApproveForAll: 4,
      tokenAssociate: 8,
      tokenAirdrop: 4,
      nftAirdrop: 2,
      nftMint: 4,
      scheduleCreate: 2,
      contractCall: 12,
      ethereumCall: 8,
      hookCreate: 1,
      hookStore: 6,
      registeredNodeCreate: 1,
      nodeCreate: 1,
    },
  },
} as const satisfies Partial<StageOptions>
