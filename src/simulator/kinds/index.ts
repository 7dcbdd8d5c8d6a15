import * as account from '#src/simulator/kinds/account.ts'
import * as airdrop from '#src/simulator/kinds/airdrop.ts'
import * as allowance from '#src/simulator/kinds/allowance.ts'
import { approvedTransfer } from '#src/simulator/kinds/approved-transfer.ts'
import { atomicBatch } from '#src/simulator/kinds/batch.ts'
import * as contract from '#src/simulator/kinds/contract.ts'
import * as contractAdmin from '#src/simulator/kinds/contract-admin.ts'
import * as ethereum from '#src/simulator/kinds/ethereum.ts'
import { fieldContract } from '#src/simulator/kinds/field-contract.ts'
import * as file from '#src/simulator/kinds/file.ts'
import * as hbar from '#src/simulator/kinds/hbar.ts'
import * as hook from '#src/simulator/kinds/hook.ts'
import { hookTransfer } from '#src/simulator/kinds/hook-transfer.ts'
import {
  exchangeRateUpdate,
  feeScheduleUpdate,
  ledgerIdPublication,
  platformKinds,
} from '#src/simulator/kinds/network.ts'
import * as nft from '#src/simulator/kinds/nft.ts'
import { nftApproveForAll } from '#src/simulator/kinds/nft-allowance.ts'
import * as node from '#src/simulator/kinds/node.ts'
import * as registered from '#src/simulator/kinds/registered-node.ts'
import * as schedule from '#src/simulator/kinds/schedule.ts'
import { stackedBatch } from '#src/simulator/kinds/stacked-batch.ts'
import * as token from '#src/simulator/kinds/token.ts'
import * as tokenAdmin from '#src/simulator/kinds/token-admin.ts'
import { multiPartyTokenTransfer } from '#src/simulator/kinds/token-parties.ts'
import * as topic from '#src/simulator/kinds/topic.ts'
import type { Kind, RunningKind } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

/** Everything that can happen on a simulated ledger, by the name that a mix gives it. */
export const kinds = {
  hbarTransfer: hbar.hbarTransfer,
  multiPartyTransfer: hbar.multiPartyTransfer,
  approvedTransfer,
  autoCreateTransfer: hbar.autoCreateTransfer,
  aliasTransfer: hbar.aliasTransfer,
  hookTransfer,
  cryptoCreate: account.cryptoCreate,
  cryptoUpdate: account.cryptoUpdate,
  hollowCompletion: account.hollowCompletion,
  cryptoDelete: account.cryptoDelete,
  cryptoApproveAllowance: allowance.cryptoApproveAllowance,
  cryptoDeleteAllowance: allowance.cryptoDeleteAllowance,
  cryptoAddLiveHash: allowance.cryptoAddLiveHash,
  cryptoDeleteLiveHash: allowance.cryptoDeleteLiveHash,
  tokenCreate: token.tokenCreate,
  tokenTransfer: token.tokenTransfer,
  tokenTransferWithFee: token.tokenTransferWithFee,
  multiPartyTokenTransfer,
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
  nftApproveForAll,
  tokenAirdrop: airdrop.tokenAirdrop,
  nftAirdrop: airdrop.nftAirdrop,
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
  contractCreate: contractAdmin.contractCreate,
  contractCall: contract.contractCall,
  contractCallWithChildren: contract.contractCallWithChildren,
  contractLazyCreate: contract.contractLazyCreate,
  fieldContract,
  contractUpdate: contractAdmin.contractUpdate,
  contractDelete: contractAdmin.contractDelete,
  ethereumCall: ethereum.ethereumCall,
  ethereumCreate: ethereum.ethereumCreate,
  ethereumDelegation: ethereum.ethereumDelegation,
  scheduleCreate: schedule.scheduleCreate,
  scheduleSign: schedule.scheduleSign,
  scheduleDelete: schedule.scheduleDelete,
  atomicBatch,
  stackedBatch,
  hookCreate: hook.hookCreate,
  hookedAccountCreate: hook.hookedAccountCreate,
  contractHookCreate: hook.contractHookCreate,
  hookStore: hook.hookStore,
  hookDelete: hook.hookDelete,
  hookDispatch: hook.hookDispatch,
  nodeCreate: node.nodeCreate,
  nodeUpdate: node.nodeUpdate,
  nodeDelete: node.nodeDelete,
  registeredNodeCreate: registered.registeredNodeCreate,
  registeredNodeUpdate: registered.registeredNodeUpdate,
  registeredNodeDelete: registered.registeredNodeDelete,
  exchangeRateUpdate,
  feeScheduleUpdate,
  ledgerIdPublication,
  platformTransactions: (world: World) => platformKinds.map((kind) => kind(world)).flatMap((planned) => planned ?? []),
} satisfies { readonly [name: string]: Kind | RunningKind }

export type KindName = keyof typeof kinds

export const kindNames = Object.keys(kinds) as KindName[]
