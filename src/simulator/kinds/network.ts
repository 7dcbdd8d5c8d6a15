import { type Functionality, functionalities } from '#src/domain/functionalities.ts'
import { defaultSimpleFees } from '#src/domain/network-files/default-simple-fees.ts'
import { isReadable } from '#src/domain/network-files/file-fields.ts'
import { readSimpleFees } from '#src/domain/network-files/simple-fees.ts'
import { created, updated } from '#src/simulator/changes.ts'
import { encode, type Message, messageType } from '#src/simulator/codec.ts'
import { exchangeRates, ratesFile } from '#src/simulator/exchange-rates.ts'
import { feeSchedules } from '#src/simulator/fee-schedules.ts'
import { accounts, fileId } from '#src/simulator/ids.ts'
import { keyListHex } from '#src/simulator/kinds/file.ts'
import type { LedgerChange, NodeStakeFacts, StakePeriodFacts } from '#src/simulator/ledger-change.ts'
import { encodeSimpleFees } from '#src/simulator/simple-fees.ts'
import { endPeriod, stakeByNode, tinybarsPerHbar } from '#src/simulator/staking.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const feeScheduleFile = 111
const simpleFeesFile = 113
const throttlesFile = 123
const fileChunkBytes = 4_096

/** What the network itself writes when a staking period ends: stakes and rates by node, from which rewards follow. */
export function nodeStakeUpdate(world: World): Submission {
  const { stakes, stakeUpdateSeconds } = world.options
  const total = stakes.reduce((sum, stake) => sum + stake, 0) * tinybarsPerHbar
  const end = world.today - 1
  const actual = stakeByNode(world)
  const nodeStake = stakes.map((hbar, nodeId) => stakeOf(hbar, nodeId, end, actual.rewarded[nodeId] ?? 0))
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
  // With updates more often than daily, only the first of a day ends a period of the accounts.
  const rates = nodeStake.map(({ rewardRate }) => rewardRate)
  const ended = end > world.state.stakePeriodEnd ? endPeriod(world, end, rates) : []
  return {
    body: { nodeStakeUpdate: body },
    payer: accounts.treasury,
    system: true,
    memo: 'End of staking period calculation record',
    changes: [{ table: 'stakePeriod', key: '', set: periodFacts(end, nodeStake) }, ...ended],
  }
}

interface NodeStake {
  readonly nodeId: number
  readonly maxStake: number
  readonly minStake: number
  readonly rewardRate: number
  readonly stake: number
  readonly stakeNotRewarded: number
  readonly stakeRewarded: number
}

/** The configured stake, by which signatures weigh: what accounts stake for rewards, and others who decline them. */
function stakeOf(hbar: number, nodeId: number, period: number, rewarded: number): NodeStake {
  const stake = hbar * tinybarsPerHbar
  return {
    maxStake: stake * 2,
    minStake: Math.floor(stake / 2),
    nodeId,
    rewardRate: 4_000 + nodeId * 100 + ((period * 37) % 1_000),
    stake,
    stakeNotRewarded: Math.max(0, stake - rewarded),
    stakeRewarded: rewarded,
  }
}

function periodFacts(endPeriodDay: number, nodeStakes: readonly NodeStake[]): StakePeriodFacts {
  const nodes = nodeStakes.map(({ nodeId, rewardRate, ...stakes }): [number, NodeStakeFacts] => [
    nodeId,
    {
      rewardRate,
      stake: BigInt(stakes.stake),
      stakeRewarded: BigInt(stakes.stakeRewarded),
      stakeNotRewarded: BigInt(stakes.stakeNotRewarded),
      minStake: BigInt(stakes.minStake),
      maxStake: BigInt(stakes.maxStake),
    },
  ])
  return { endPeriod: endPeriodDay, nodes: new Map(nodes) }
}

/** Writes contents to a system file: an update with the first part, appends with the rest. */
export function systemFileUpdate(file: number, contents: Uint8Array, payer: number): Submission[] {
  const parts: Submission[] = []
  for (let offset = 0; offset < contents.length; offset += fileChunkBytes) {
    const end = Math.min(contents.length, offset + fileChunkBytes)
    const chunk = { fileID: fileId(file), contents: contents.subarray(offset, end) }
    const change = contentsChange(file, contents.subarray(0, end))
    const result = file === feeScheduleFile && end < contents.length ? 'FEE_SCHEDULE_FILE_PART_UPLOADED' : 'SUCCESS'
    parts.push(
      offset === 0
        ? { body: { fileUpdate: chunk }, payer, result, changes: [updated(file, {}), ...change] }
        : { body: { fileAppend: chunk }, payer, result, changes: change },
    )
  }
  return parts
}

/** The same for a file that is not there yet, written by the network at its start. */
export function systemFileCreate(file: number, contents: Uint8Array): Submission[] {
  const keys = { keys: [] }
  const [first, ...rest] = systemFileUpdate(file, contents, accounts.treasury)
  const body = { fileCreate: { contents: contents.subarray(0, fileChunkBytes), keys } }
  const creation = created(file, { type: 'FILE', key: keyListHex(keys) })
  const changes = [creation, ...(first?.changes ?? []).slice(1)]
  const opening: Submission = { body, payer: accounts.treasury, receipt: { fileID: fileId(file) }, changes }
  return [opening, ...rest].map((part) => ({ ...part, system: true }))
}

const fileMessages: Readonly<Record<number, string>> = {
  101: 'proto.NodeAddressBook',
  102: 'proto.NodeAddressBook',
  [feeScheduleFile]: 'proto.CurrentAndNextFeeSchedule',
  [ratesFile]: 'proto.ExchangeRateSet',
}

/** Whatever of a file can be read is in force, a part of it as well. */
function contentsChange(file: number, contents: Uint8Array): LedgerChange[] {
  const hex = Buffer.from(contents).toString('hex')
  const inForce: LedgerChange = { table: 'networkFiles', key: String(file), set: { contents: hex } }
  if (file === simpleFeesFile) return isReadable(readSimpleFees, contents) ? [inForce] : []
  const message = fileMessages[file]
  if (message === undefined) return []
  try {
    messageType(message).decode(contents)
  } catch {
    return []
  }
  if (message === 'proto.NodeAddressBook') return [{ table: 'addressBooks', key: String(file), set: { book: hex } }]
  return [inForce]
}

/** What the network writes of itself when it begins, besides its address books. */
export function openingFiles({ now }: World): Submission[] {
  const files = [
    [feeScheduleFile, feeSchedules(now)],
    [ratesFile, encode('proto.ExchangeRateSet', exchangeRates(now))],
    [simpleFeesFile, encodeSimpleFees(defaultSimpleFees)],
    [throttlesFile, throttleDefinitions()],
  ] as const
  return files.flatMap(([file, contents]) => systemFileCreate(file, contents))
}

export const exchangeRateUpdate: Kind = (world) => {
  const contents = encode('proto.ExchangeRateSet', exchangeRates(world.now))
  const result = world.failure('EXCHANGE_RATE_CHANGE_LIMIT_EXCEEDED')
  const parts = systemFileUpdate(ratesFile, contents, accounts.ratesAdmin)
  return result ? parts.map((part) => ({ ...part, result })) : parts
}

/** One of the files by which prices and limits are set, as it is at the time. */
export const feeScheduleUpdate: Kind = (world) => {
  const admin = accounts.feeScheduleAdmin
  if (world.prng.chance(0.6)) return systemFileUpdate(feeScheduleFile, feeSchedules(world.now), admin)
  if (world.prng.chance(0.5)) return systemFileUpdate(simpleFeesFile, encodeSimpleFees(defaultSimpleFees), admin)
  return systemFileUpdate(throttlesFile, throttleDefinitions(), accounts.addressBookAdmin)
}

/** What the nodes publish of their ledger once they can sign together: a serialized LedgerIdPublicationTransactionBody. */
export function publicationOf(publication: Uint8Array): Submission {
  const type = messageType('com.hedera.hapi.node.tss.LedgerIdPublicationTransactionBody')
  const body = type.toObject(type.decode(publication), { longs: Number }) as Message
  return { body: { ledgerIdPublication: body }, payer: accounts.treasury, system: true }
}

/** Made up, as much as is drawn for it, where the network has no ledger. */
export const ledgerIdPublication: Kind = (world) => {
  const nodeContributions = world.options.stakes.map((stake, nodeId) => ({
    nodeId,
    weight: stake,
    historyProofKey: world.prng.bytes(32),
  }))
  const body = { ledgerId: world.prng.bytes(32), historyProofVerificationKey: world.prng.bytes(64), nodeContributions }
  if (world.publication) return publicationOf(world.publication)
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

/** A ThrottleDefinitions: all transactions share one bucket, what makes something new has a smaller one as well. */
function throttleDefinitions(): Uint8Array {
  const creations: readonly Functionality[] = ['CryptoCreate', 'TokenCreate', 'ContractCreate', 'ConsensusCreateTopic']
  return encode('proto.ThrottleDefinitions', {
    throttleBuckets: [
      bucket('Throughput', 10_500, Object.keys(functionalities) as Functionality[]),
      bucket('Creation', 100, creations),
    ],
  })
}

function bucket(name: string, perSecond: number, kinds: readonly Functionality[]) {
  const operations = kinds.map((kind) => functionalities[kind])
  return { name, burstPeriodMs: 1_000, throttleGroups: [{ operations, milliOpsPerSec: perSecond * 1_000 }] }
}
