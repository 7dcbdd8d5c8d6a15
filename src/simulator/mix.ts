import { LedgerError } from '#src/domain/errors.ts'
import { type KindName, kindNames } from '#src/simulator/kinds/index.ts'
import type { Prng } from '#src/simulator/prng.ts'
import type { Mix } from '#src/simulator/resolved-options.ts'

export type MixPreset = keyof typeof mixPresets

const rareWeight = 0.25

const rare = Object.fromEntries(kindNames.map((name) => [name, rareWeight])) as { [kind in KindName]: number }

export const mixPresets = {
  /** Everything, with the frequent things more often. */
  default: {
    weights: {
      ...rare,
      hbarTransfer: 30,
      multiPartyTransfer: 4,
      approvedTransfer: 2,
      autoCreateTransfer: 1,
      tokenTransfer: 10,
      tokenTransferWithFee: 2,
      multiPartyTokenTransfer: 1,
      nftMint: 2,
      nftTransfer: 5,
      nftApproveForAll: 0.5,
      tokenMint: 2,
      tokenAssociate: 2,
      topicMessage: 14,
      feeTopicMessage: 2,
      chunkedMessage: 1,
      contractCall: 6,
      contractCallWithChildren: 1,
      ethereumCall: 4,
      scheduleCreate: 1,
      scheduleSign: 1,
      atomicBatch: 1,
      cryptoCreate: 1,
      tokenAirdrop: 1,
      platformTransactions: 0.01,
      ledgerIdPublication: 0.01,
      hookDispatch: 0.05,
      stackedBatch: 0,
      fieldContract: 0,
    },
    failureShare: 0.06,
    duplicateShare: 0.02,
    showEachKind: true,
  },
  /** Mostly payments and some messages, with three calls of contracts in a hundred, as on a busy public ledger; for measuring. */
  transfers: {
    weights: {
      hbarTransfer: 62,
      multiPartyTransfer: 6,
      tokenTransfer: 10,
      nftTransfer: 2,
      topicMessage: 18,
      approvedTransfer: 1,
      autoCreateTransfer: 0.2,
      cryptoCreate: 0.2,
      contractCall: 1.6,
      ethereumCall: 1.2,
      contractCallWithChildren: 0.2,
      contractCreate: 0.01,
      ethereumCreate: 0.01,
      multiPartyTokenTransfer: 0.2,
      tokenMint: 0.2,
      nftMint: 0.3,
      tokenCreate: 0.02,
      nftCreate: 0.02,
      topicCreate: 0.02,
    },
    failureShare: 0.02,
    duplicateShare: 0.005,
    showEachKind: false,
  },
} as const satisfies { readonly [preset: string]: Mix & { readonly weights: { readonly [kind in KindName]?: number } } }

/** The mix of a preset's name, or the given one after a check of its numbers. */
export function resolveMix(mix: MixPreset | Mix): Mix {
  if (typeof mix === 'string') {
    const preset = Object.hasOwn(mixPresets, mix) ? mixPresets[mix] : undefined
    if (preset) return preset
    throw new LedgerError(
      'config_invalid',
      `There is no mix ${mix}; presets are ${Object.keys(mixPresets).join(', ')}`,
      { mix },
    )
  }
  const entries = Object.entries(mix.weights)
  const wrong = entries.find(([name, weight]) => !kindNames.includes(name as KindName) || !(weight >= 0))
  if (wrong)
    throw new LedgerError(
      'config_invalid',
      `The mix has the entry ${wrong[0]}: ${wrong[1]}, which is no kind with a weight`,
      { mix },
    )
  if (!entries.some(([, weight]) => weight > 0))
    throw new LedgerError('config_invalid', 'The mix has no kind with a weight above 0', { mix })
  for (const share of [mix.failureShare, mix.duplicateShare]) {
    if (!(share >= 0 && share <= 1))
      throw new LedgerError('config_invalid', `The share ${share} in the mix is not between 0 and 1`, { mix })
  }
  return mix
}

/** Draws kinds by weight. */
export function kindPicker({ weights }: Mix): (prng: Prng) => KindName {
  const entries = kindNames
    .map((name): [KindName, number] => [name, weights[name] ?? 0])
    .filter(([, weight]) => weight > 0)
  entries.sort(([, left], [, right]) => right - left)
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0)
  return (prng) => {
    let rest = prng.unit() * total
    const found = entries.find(([, weight]) => {
      rest -= weight
      return rest < 0
    })
    return (found ?? entries[0])?.[0] ?? 'hbarTransfer'
  }
}
