import type { Message } from '#src/simulator/codec.ts'
import { encode } from '#src/simulator/codec.ts'
import { exchangeRates } from '#src/simulator/exchange-rates.ts'
import { accounts, fileId } from '#src/simulator/ids.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const tinybarsPerHbar = 100_000_000
const ratesFile = 112
const fileChunkBytes = 4_096

/** What the network itself writes when a staking period ends: the stakes that the nodes' signatures weigh from now on. */
export function nodeStakeUpdate(world: World): Submission {
  const { stakes, stakeUpdateSeconds } = world.options
  const total = stakes.reduce((sum, stake) => sum + stake, 0) * tinybarsPerHbar
  const nodeStake = stakes.map((hbar, nodeId) => {
    const stake = hbar * tinybarsPerHbar
    const rewarded = Math.floor(stake * 0.75)
    return {
      maxStake: stake * 2,
      minStake: Math.floor(stake / 2),
      nodeId,
      rewardRate: 5_000 + nodeId,
      stake,
      stakeNotRewarded: stake - rewarded,
      stakeRewarded: rewarded,
    }
  })
  const periodEnd = world.stakingPeriod * stakeUpdateSeconds - 1
  const body = {
    endOfStakingPeriod: { seconds: periodEnd, nanos: 999_999_999 },
    nodeStake,
    maxStakingRewardRatePerHbar: 17_808,
    nodeRewardFeeFraction: { numerator: 0, denominator: 100 },
    stakingPeriodsStored: 365,
    stakingPeriod: Math.max(1, Math.round(stakeUpdateSeconds / 60)),
    stakingRewardFeeFraction: { numerator: 10, denominator: 100 },
    stakingStartThreshold: 25_000_000 * tinybarsPerHbar,
    stakingRewardRate: 100_000_000_000,
    reservedStakingRewards: 10_000_000_000,
    unreservedStakingRewardBalance: 20_000_000_000,
    rewardBalanceThreshold: 8_500_000_000_000,
    maxStakeRewarded: total,
    maxTotalReward: 1_700_000_000_000,
  }
  return {
    body: { nodeStakeUpdate: body },
    payer: accounts.treasury,
    system: true,
    memo: 'End of staking period calculation record',
  }
}

/** Writes contents to a system file: an update with the first part, appends with the rest. */
export function systemFileUpdate(file: number, contents: Uint8Array, payer: number): Submission[] {
  const parts: Submission[] = []
  for (let offset = 0; offset < contents.length; offset += fileChunkBytes) {
    const chunk = { fileID: fileId(file), contents: contents.subarray(offset, offset + fileChunkBytes) }
    parts.push({ body: offset === 0 ? { fileUpdate: chunk } : { fileAppend: chunk }, payer })
  }
  return parts
}

export const exchangeRateUpdate: Kind = (world) =>
  systemFileUpdate(ratesFile, encode('proto.ExchangeRateSet', exchangeRates(world.now)), accounts.ratesAdmin)

export const ledgerIdPublication: Kind = (world) => {
  const nodeContributions = world.options.stakes.map((stake, nodeId) => ({
    nodeId,
    weight: stake,
    historyProofKey: world.prng.bytes(32),
  }))
  const body = { ledgerId: world.prng.bytes(32), historyProofVerificationKey: world.prng.bytes(64), nodeContributions }
  return { body: { ledgerIdPublication: body }, payer: accounts.treasury, system: true }
}

/** Transactions of the platform's own protocols, which the network normally leaves out of its streams. */
const platformBodies: readonly ((world: World) => Message)[] = [
  ({ prng }) => ({
    stateSignatureTransaction: { round: prng.below(1_000), signature: prng.bytes(48), hash: prng.bytes(48) },
  }),
  ({ prng }) => ({ hintsPreprocessingVote: { constructionId: prng.below(9), vote: { congruentNodeId: 1 } } }),
  ({ prng }) => ({ hintsKeyPublication: { partyId: 1, numParties: 4, hintsKey: prng.bytes(48) } }),
  ({ prng }) => ({
    hintsPartialSignature: { constructionId: 1, message: prng.bytes(32), partialSignature: prng.bytes(48) },
  }),
  ({ prng }) => ({ historyProofSignature: { constructionId: 1, signature: { signature: prng.bytes(64) } } }),
  ({ prng }) => ({ historyProofKeyPublication: { proofKey: prng.bytes(32), constructionId: 1 } }),
  ({ prng }) => ({ historyProofVote: { constructionId: prng.below(9), vote: { congruentNodeId: 2 } } }),
  ({ prng }) => ({ crsPublication: { newCrs: prng.bytes(96), proof: prng.bytes(32) } }),
  ({ prng }) => ({ migrationRootHashVote: { previousWrappedRecordBlockRootHash: prng.bytes(48) } }),
]

export const platformKinds: readonly Kind[] = platformBodies.map((bodyOf) => (world: World) => ({
  body: bodyOf(world),
  payer: accounts.firstNode,
  system: true,
}))
