import type { KindName } from '#src/simulator/kinds/index.ts'
import type { MixPreset } from '#src/simulator/mix.ts'

// The names alone, for the compiler to hold against the simulator: loading it would slow down every verb.
const presets = {
  default: true,
  transfers: true,
} satisfies Readonly<Record<MixPreset, true>>

const kinds = {
  hbarTransfer: true,
  multiPartyTransfer: true,
  approvedTransfer: true,
  autoCreateTransfer: true,
  hookTransfer: true,
  cryptoCreate: true,
  cryptoUpdate: true,
  cryptoDelete: true,
  cryptoApproveAllowance: true,
  cryptoDeleteAllowance: true,
  cryptoAddLiveHash: true,
  cryptoDeleteLiveHash: true,
  tokenCreate: true,
  tokenTransfer: true,
  tokenTransferWithFee: true,
  tokenMint: true,
  tokenBurn: true,
  tokenWipe: true,
  tokenAssociate: true,
  tokenDissociate: true,
  tokenFreeze: true,
  tokenUnfreeze: true,
  tokenGrantKyc: true,
  tokenRevokeKyc: true,
  tokenPause: true,
  tokenUnpause: true,
  tokenUpdate: true,
  tokenFeeScheduleUpdate: true,
  tokenDelete: true,
  treasuryChange: true,
  nftCreate: true,
  nftMint: true,
  nftTransfer: true,
  nftBurn: true,
  nftWipe: true,
  tokenUpdateNfts: true,
  tokenAirdrop: true,
  tokenClaimAirdrop: true,
  tokenCancelAirdrop: true,
  tokenReject: true,
  topicCreate: true,
  topicMessage: true,
  feeTopicMessage: true,
  chunkedMessage: true,
  topicUpdate: true,
  topicDelete: true,
  fileCreate: true,
  fileAppend: true,
  fileUpdate: true,
  fileDelete: true,
  systemDelete: true,
  systemUndelete: true,
  freeze: true,
  uncheckedSubmit: true,
  pseudoRandom: true,
  contractCreate: true,
  contractCall: true,
  contractCallWithChildren: true,
  contractUpdate: true,
  contractDelete: true,
  ethereumCall: true,
  ethereumCreate: true,
  scheduleCreate: true,
  scheduleSign: true,
  scheduleDelete: true,
  atomicBatch: true,
  hookCreate: true,
  hookStore: true,
  hookDispatch: true,
  nodeCreate: true,
  nodeUpdate: true,
  nodeDelete: true,
  registeredNodeCreate: true,
  registeredNodeUpdate: true,
  registeredNodeDelete: true,
  exchangeRateUpdate: true,
  ledgerIdPublication: true,
  platformTransactions: true,
} satisfies Readonly<Record<KindName, true>>

/** What a mix may be made of, in words. */
export const mixElements = `the mixes ${Object.keys(presets).join(', ')} and the kinds ${Object.keys(kinds).join(', ')}`

export function isMixPreset(name: string): boolean {
  return Object.hasOwn(presets, name)
}

export function isMixKind(name: string): boolean {
  return Object.hasOwn(kinds, name)
}
