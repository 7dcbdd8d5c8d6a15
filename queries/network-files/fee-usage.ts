import type { KnownEntities } from '#queries/network-files/known-entities.ts'
import type { SubmittedTransaction } from '#queries/network-files/submitted-transaction.ts'
import { tokenUsage, transferUsage } from '#queries/network-files/transfer-usage.ts'
import { hasWaivedFees } from '#queries/network-files/waived-fees.ts'
import type { BodyField, Key, TokenCreateTransactionBody } from '#schemas/events/types.ts'
import { type Functionality, functionalities } from '#src/domain/functionalities.ts'
import type { FeeUsage, UsedExtra } from '#src/domain/network-files/fee-estimate.ts'
import type { TransactionBody } from '#src/events/decode/messages.ts'
import { numberOf } from '#src/events/ids.ts'

/** What a kind of transaction is charged for beyond its base. Without `known` by the transaction alone. */
type Count<F extends BodyField> = (
  body: NonNullable<TransactionBody[F]>,
  known: KnownEntities | undefined,
) => readonly UsedExtra[]

interface Kind<F extends BodyField> {
  readonly name: Functionality
  readonly count: Count<F>
}

const base = (): UsedExtra[] => []
const of = (name: UsedExtra['name'], count: number): UsedExtra => ({ name, count })
const one = (name: UsedExtra['name'], isUsed: boolean): UsedExtra => of(name, isUsed ? 1 : 0)
const keys = (...all: readonly (Key | null)[]): UsedExtra =>
  of(
    'KEYS',
    all.reduce((sum, key) => sum + keyCount(key), 0),
  )

/** The kinds that have a price, by the member of the body that holds them. */
const kinds: { readonly [F in BodyField]?: Kind<F> } = {
  contractCall: { name: 'ContractCall', count: base },
  contractCreateInstance: {
    name: 'ContractCreate',
    count: ({ adminKey, hookCreationDetails }) => [keys(adminKey), of('HOOK_UPDATES', hookCreationDetails.length)],
  },
  contractUpdateInstance: {
    name: 'ContractUpdate',
    count: ({ adminKey, hookCreationDetails, hookIdsToDelete }) => [
      keys(adminKey),
      of('HOOK_UPDATES', hookCreationDetails.length),
      of('HOOK_UPDATES', hookIdsToDelete.length),
    ],
  },
  contractDeleteInstance: { name: 'ContractDelete', count: base },
  cryptoCreateAccount: {
    name: 'CryptoCreate',
    count: ({ key, hookCreationDetails }) => [keys(key), of('HOOK_UPDATES', hookCreationDetails.length)],
  },
  cryptoUpdateAccount: {
    name: 'CryptoUpdate',
    count: ({ key, hookCreationDetails, hookIdsToDelete }) => [
      keys(key),
      of('HOOK_UPDATES', hookCreationDetails.length + hookIdsToDelete.length),
    ],
  },
  cryptoDelete: { name: 'CryptoDelete', count: base },
  cryptoTransfer: { name: 'CryptoTransfer', count: transferUsage },
  cryptoApproveAllowance: {
    name: 'CryptoApproveAllowance',
    count: ({ cryptoAllowances, tokenAllowances, nftAllowances }) => [
      of('ALLOWANCES', cryptoAllowances.length + tokenAllowances.length + nftAllowances.length),
    ],
  },
  cryptoDeleteAllowance: {
    name: 'CryptoDeleteAllowance',
    count: ({ nftAllowances }) => [of('ALLOWANCES', nftAllowances.length)],
  },
  consensusCreateTopic: {
    name: 'ConsensusCreateTopic',
    count: ({ adminKey, submitKey, feeScheduleKey, customFees }) => [
      keys(adminKey, submitKey, feeScheduleKey),
      one('CONSENSUS_CREATE_TOPIC_WITH_CUSTOM_FEE', customFees.length > 0),
    ],
  },
  consensusUpdateTopic: {
    name: 'ConsensusUpdateTopic',
    count: ({ adminKey, submitKey, feeScheduleKey, feeExemptKeyList }) => [
      keys(adminKey, submitKey, feeScheduleKey, ...(feeExemptKeyList?.keys ?? [])),
    ],
  },
  consensusDeleteTopic: { name: 'ConsensusDeleteTopic', count: base },
  consensusSubmitMessage: {
    name: 'ConsensusSubmitMessage',
    count: ({ topicID, message }, known) =>
      known?.topicsWithFees.has(numberOf(topicID))
        ? [
            of('CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE', 1),
            of('CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE_BYTES', message.length),
          ]
        : [of('CONSENSUS_SUBMIT_MESSAGE_WITHOUT_CUSTOM_FEE_BYTES', message.length)],
  },
  fileCreate: {
    name: 'FileCreate',
    count: ({ keys: list, contents }) => [keys(...(list?.keys ?? [])), of('STATE_BYTES', contents.length)],
  },
  fileUpdate: {
    name: 'FileUpdate',
    count: ({ keys: list, contents }) => [keys(...(list?.keys ?? [])), of('STATE_BYTES', contents.length)],
  },
  fileAppend: { name: 'FileAppend', count: ({ contents }) => [of('STATE_BYTES', contents.length)] },
  fileDelete: { name: 'FileDelete', count: base },
  systemDelete: { name: 'SystemDelete', count: base },
  systemUndelete: { name: 'SystemUndelete', count: base },
  tokenCreation: {
    name: 'TokenCreate',
    count: (body) => [
      keys(...tokenKeys(body)),
      one('TOKEN_CREATE_WITH_CUSTOM_FEE', body.customFees.length > 0 || body.feeScheduleKey !== null),
    ],
  },
  tokenUpdate: { name: 'TokenUpdate', count: (body) => [keys(...tokenKeys(body))] },
  tokenMint: {
    name: 'TokenMint',
    count: ({ amount, metadata }) =>
      amount === 0n && metadata.length > 0 ? [of('TOKEN_MINT_NFT_BASE', 1), of('TOKEN_MINT_NFT', metadata.length)] : [],
  },
  tokenAssociate: { name: 'TokenAssociateToAccount', count: ({ tokens }) => [of('TOKEN_ASSOCIATE', tokens.length)] },
  tokenUpdateNfts: { name: 'TokenUpdateNfts', count: ({ serialNumbers }) => [of('NFT_UPDATE', serialNumbers.length)] },
  tokenAirdrop: { name: 'TokenAirdrop', count: ({ tokenTransfers }, known) => tokenUsage(tokenTransfers, known) },
  tokenBurn: { name: 'TokenBurn', count: base },
  tokenCancelAirdrop: { name: 'TokenCancelAirdrop', count: base },
  tokenClaimAirdrop: { name: 'TokenClaimAirdrop', count: base },
  tokenDeletion: { name: 'TokenDelete', count: base },
  tokenDissociate: { name: 'TokenDissociateFromAccount', count: base },
  tokenFeeScheduleUpdate: { name: 'TokenFeeScheduleUpdate', count: base },
  tokenFreeze: { name: 'TokenFreezeAccount', count: base },
  tokenUnfreeze: { name: 'TokenUnfreezeAccount', count: base },
  tokenGrantKyc: { name: 'TokenGrantKycToAccount', count: base },
  tokenRevokeKyc: { name: 'TokenRevokeKycFromAccount', count: base },
  tokenPause: { name: 'TokenPause', count: base },
  tokenUnpause: { name: 'TokenUnpause', count: base },
  tokenReject: { name: 'TokenReject', count: base },
  tokenWipe: { name: 'TokenAccountWipe', count: base },
  scheduleCreate: {
    name: 'ScheduleCreate',
    count: ({ adminKey, scheduledTransactionBody }) => [
      keys(adminKey),
      one('SCHEDULE_CREATE_CONTRACT_CALL_BASE', (scheduledTransactionBody?.contractCall ?? null) !== null),
    ],
  },
  scheduleDelete: { name: 'ScheduleDelete', count: base },
  scheduleSign: { name: 'ScheduleSign', count: base },
  ethereumTransaction: { name: 'EthereumTransaction', count: base },
  hookStore: {
    name: 'HookStore',
    count: ({ storageUpdates }) => [
      of(
        'HOOK_SLOT_UPDATE',
        storageUpdates.reduce(
          (sum, { storageSlot, mappingEntries }) => sum + (storageSlot ? 1 : 0) + (mappingEntries?.entries.length ?? 0),
          0,
        ),
      ),
    ],
  },
  utilPrng: { name: 'UtilPrng', count: base },
  atomicBatch: { name: 'AtomicBatch', count: base },
  nodeCreate: { name: 'NodeCreate', count: base },
  nodeUpdate: { name: 'NodeUpdate', count: base },
  nodeDelete: { name: 'NodeDelete', count: base },
  registeredNodeCreate: { name: 'RegisteredNodeCreate', count: base },
  registeredNodeUpdate: { name: 'RegisteredNodeUpdate', count: base },
  registeredNodeDelete: { name: 'RegisteredNodeDelete', count: base },
}

/** What a transaction is charged for; undefined for kinds that have no price. */
export function feeUsage({ body, field }: SubmittedTransaction, known?: KnownEntities): FeeUsage | undefined {
  return field === undefined ? undefined : usageOf(field, body, known)
}

function usageOf<F extends BodyField>(
  field: F,
  body: TransactionBody,
  known: KnownEntities | undefined,
): FeeUsage | undefined {
  const kind: Kind<F> | undefined = kinds[field]
  const own = body[field]
  if (kind === undefined || own === undefined || own === null) return undefined
  const isFree = hasWaivedFees(body, known !== undefined)
  return { functionality: functionalities[kind.name], extras: kind.count(own, known), isFree }
}

type TokenKeys = Pick<
  TokenCreateTransactionBody,
  'adminKey' | 'kycKey' | 'freezeKey' | 'wipeKey' | 'supplyKey' | 'feeScheduleKey' | 'pauseKey' | 'metadataKey'
>

function tokenKeys(body: TokenKeys): (Key | null)[] {
  const { adminKey, kycKey, freezeKey, wipeKey, supplyKey, feeScheduleKey, pauseKey, metadataKey } = body
  return [adminKey, kycKey, freezeKey, wipeKey, supplyKey, feeScheduleKey, pauseKey, metadataKey]
}

/** Public keys in a key with all its lists, whatever the thresholds; contracts are none. */
function keyCount(key: Key | null): number {
  if (key === null) return 0
  const list = key.keyList ?? key.thresholdKey?.keys
  if (list) return list.keys.reduce((sum, each) => sum + keyCount(each), 0)
  return key.ed25519 || key.ECDSASecp256k1 || key.RSA_3072 || key.ECDSA_384 ? 1 : 0
}
