import * as account from '#src/simulator/kinds/account.ts'
import * as airdrop from '#src/simulator/kinds/airdrop.ts'
import { atomicBatch } from '#src/simulator/kinds/batch.ts'
import * as contract from '#src/simulator/kinds/contract.ts'
import * as ethereum from '#src/simulator/kinds/ethereum.ts'
import * as file from '#src/simulator/kinds/file.ts'
import * as hbar from '#src/simulator/kinds/hbar.ts'
import { hookDispatch, hookStore, hookTransfer } from '#src/simulator/kinds/hook.ts'
import { exchangeRateUpdate, ledgerIdPublication, platformKinds } from '#src/simulator/kinds/network.ts'
import * as nft from '#src/simulator/kinds/nft.ts'
import * as node from '#src/simulator/kinds/node.ts'
import * as schedule from '#src/simulator/kinds/schedule.ts'
import * as token from '#src/simulator/kinds/token.ts'
import * as tokenAdmin from '#src/simulator/kinds/token-admin.ts'
import * as topic from '#src/simulator/kinds/topic.ts'
import type { Kind } from '#src/simulator/submission.ts'

/** Everything that can happen on a simulated ledger, by the name that a mix gives it. */
export const kinds = {
  hbarTransfer: hbar.hbarTransfer,
  multiPartyTransfer: hbar.multiPartyTransfer,
  approvedTransfer: hbar.approvedTransfer,
  autoCreateTransfer: hbar.autoCreateTransfer,
  hookTransfer,
  cryptoCreate: account.cryptoCreate,
  cryptoUpdate: account.cryptoUpdate,
  cryptoDelete: account.cryptoDelete,
  cryptoApproveAllowance: account.cryptoApproveAllowance,
  cryptoDeleteAllowance: account.cryptoDeleteAllowance,
  cryptoAddLiveHash: account.cryptoAddLiveHash,
  cryptoDeleteLiveHash: account.cryptoDeleteLiveHash,
  tokenCreate: token.tokenCreate,
  tokenTransfer: token.tokenTransfer,
  tokenTransferWithFee: token.tokenTransferWithFee,
  tokenMint: token.tokenMint,
  tokenBurn: token.tokenBurn,
  tokenWipe: token.tokenWipe,
  tokenAssociate: tokenAdmin.tokenAssociate,
  tokenDissociate: tokenAdmin.tokenDissociate,
  tokenFreeze: tokenAdmin.tokenFreeze,
  tokenUnfreeze: tokenAdmin.tokenUnfreeze,
  tokenGrantKyc: tokenAdmin.tokenGrantKyc,
  tokenRevokeKyc: tokenAdmin.tokenRevokeKyc,
  tokenPause: tokenAdmin.tokenPause,
  tokenUnpause: tokenAdmin.tokenUnpause,
  tokenUpdate: tokenAdmin.tokenUpdate,
  tokenFeeScheduleUpdate: tokenAdmin.tokenFeeScheduleUpdate,
  tokenDelete: tokenAdmin.tokenDelete,
  treasuryChange: tokenAdmin.treasuryChange,
  nftCreate: token.nftCreate,
  nftMint: nft.nftMint,
  nftTransfer: nft.nftTransfer,
  nftBurn: nft.nftBurn,
  nftWipe: nft.nftWipe,
  tokenUpdateNfts: nft.tokenUpdateNfts,
  tokenAirdrop: airdrop.tokenAirdrop,
  tokenClaimAirdrop: airdrop.tokenClaimAirdrop,
  tokenCancelAirdrop: airdrop.tokenCancelAirdrop,
  tokenReject: airdrop.tokenReject,
  topicCreate: topic.topicCreate,
  topicMessage: topic.topicMessage,
  feeTopicMessage: topic.feeTopicMessage,
  chunkedMessage: topic.chunkedMessage,
  topicUpdate: topic.topicUpdate,
  topicDelete: topic.topicDelete,
  fileCreate: file.fileCreate,
  fileAppend: file.fileAppend,
  fileUpdate: file.fileUpdate,
  fileDelete: file.fileDelete,
  systemDelete: file.systemDelete,
  systemUndelete: file.systemUndelete,
  freeze: file.freeze,
  uncheckedSubmit: file.uncheckedSubmit,
  pseudoRandom: file.pseudoRandom,
  contractCreate: contract.contractCreate,
  contractCall: contract.contractCall,
  contractCallWithChildren: contract.contractCallWithChildren,
  contractUpdate: contract.contractUpdate,
  contractDelete: contract.contractDelete,
  ethereumCall: ethereum.ethereumCall,
  ethereumCreate: ethereum.ethereumCreate,
  scheduleCreate: schedule.scheduleCreate,
  scheduleSign: schedule.scheduleSign,
  scheduleDelete: schedule.scheduleDelete,
  atomicBatch,
  hookCreate: account.hookCreate,
  hookStore,
  hookDispatch,
  nodeCreate: node.nodeCreate,
  nodeUpdate: node.nodeUpdate,
  nodeDelete: node.nodeDelete,
  registeredNodeCreate: node.registeredNodeCreate,
  registeredNodeUpdate: node.registeredNodeUpdate,
  registeredNodeDelete: node.registeredNodeDelete,
  exchangeRateUpdate,
  ledgerIdPublication,
  platformTransactions: (world) => platformKinds.map((kind) => kind(world)).flatMap((planned) => planned ?? []),
} satisfies { readonly [name: string]: Kind }

export type KindName = keyof typeof kinds

export const kindNames = Object.keys(kinds) as KindName[]
