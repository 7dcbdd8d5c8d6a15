import type { ContractID, TransactionRecorded } from '#schemas/events/types.ts'
import type { FullReceipt, FullRecord, TransactionBody } from '#src/events/decode/messages.ts'
import {
  accountNumber,
  contractNumber,
  type Entity,
  noEntity,
  numberOf,
  orNull,
  resolveAccount,
  resolveContract,
} from '#src/events/ids.ts'

interface Subject {
  readonly body: TransactionBody
  readonly receipt: FullReceipt | null
  readonly record: FullRecord
  readonly payerAccountId: bigint
}

type EntityRule = (subject: Subject) => Entity | bigint

/** Which entity a transaction is about, by type; types that are missing are about none. */
const rules: Readonly<Record<number, EntityRule>> = {
  7: ({ body, receipt }) => firstContract(receipt?.contractID, body.contractCall?.contractID),
  8: ({ receipt }) => firstContract(receipt?.contractID),
  9: ({ body, receipt }) => firstContract(receipt?.contractID, body.contractUpdateInstance?.contractID),
  10: ({ body }) => accountNumber(body.cryptoAddLiveHash?.liveHash?.accountId ?? null),
  11: ({ receipt }) => accountNumber(receipt?.accountID ?? null),
  12: ({ body }) => accountNumber(body.cryptoDelete?.deleteAccountID ?? null),
  13: ({ body }) => accountNumber(body.cryptoDeleteLiveHash?.accountOfLiveHash ?? null),
  15: ({ body }) => accountNumber(body.cryptoUpdateAccount?.accountIDToUpdate ?? null),
  16: ({ body }) => numberOf(body.fileAppend?.fileID ?? null),
  17: ({ receipt }) => numberOf(receipt?.fileID ?? null),
  18: ({ body }) => numberOf(body.fileDelete?.fileID ?? null),
  19: ({ body }) => numberOf(body.fileUpdate?.fileID ?? null),
  20: ({ body }) => contractOrFile(body.systemDelete),
  21: ({ body }) => contractOrFile(body.systemUndelete),
  22: ({ body, receipt }) => firstContract(receipt?.contractID, body.contractDeleteInstance?.contractID),
  23: ({ body }) => numberOf(body.freeze?.updateFile ?? null),
  24: ({ receipt }) => numberOf(receipt?.topicID ?? null),
  25: ({ body }) => numberOf(body.consensusUpdateTopic?.topicID ?? null),
  26: ({ body }) => numberOf(body.consensusDeleteTopic?.topicID ?? null),
  27: ({ body }) => numberOf(body.consensusSubmitMessage?.topicID ?? null),
  29: ({ receipt }) => numberOf(receipt?.tokenID ?? null),
  31: ({ body }) => accountNumber(body.tokenFreeze?.account ?? null),
  32: ({ body }) => accountNumber(body.tokenUnfreeze?.account ?? null),
  33: ({ body }) => accountNumber(body.tokenGrantKyc?.account ?? null),
  34: ({ body }) => accountNumber(body.tokenRevokeKyc?.account ?? null),
  35: ({ body }) => numberOf(body.tokenDeletion?.token ?? null),
  36: ({ body }) => numberOf(body.tokenUpdate?.token ?? null),
  37: ({ body }) => numberOf(body.tokenMint?.token ?? null),
  38: ({ body }) => numberOf(body.tokenBurn?.token ?? null),
  39: ({ body }) => numberOf(body.tokenWipe?.token ?? null),
  40: ({ body }) => accountNumber(body.tokenAssociate?.account ?? null),
  41: ({ body }) => accountNumber(body.tokenDissociate?.account ?? null),
  42: ({ receipt }) => numberOf(receipt?.scheduleID ?? null),
  43: ({ body }) => numberOf(body.scheduleDelete?.scheduleID ?? null),
  44: ({ body }) => numberOf(body.scheduleSign?.scheduleID ?? null),
  45: ({ body }) => numberOf(body.tokenFeeScheduleUpdate?.tokenId ?? null),
  46: ({ body }) => numberOf(body.tokenPause?.token ?? null),
  47: ({ body }) => numberOf(body.tokenUnpause?.token ?? null),
  50: ({ record }) => contractNumber((record.contractCreateResult ?? record.contractCallResult)?.contractID ?? null),
  53: ({ body }) => numberOf(body.tokenUpdateNfts?.token ?? null),
  54: ({ body }) => accountNumber(body.nodeCreate?.accountId ?? null),
  55: ({ body }) => accountNumber(body.nodeUpdate?.accountId ?? null),
  57: ({ body, payerAccountId }) => (body.tokenReject?.owner ? resolveAccount(body.tokenReject.owner) : payerAccountId),
  75: ({ body }) => hookOwner(body.hookStore),
}

export function entityOf(type: number, subject: Subject): Entity {
  const found = rules[type]?.(subject) ?? noEntity
  return typeof found === 'bigint' ? { id: orNull(found), address: null } : found
}

/** The first of the contracts that says anything. */
function firstContract(...ids: readonly (ContractID | null | undefined)[]): Entity {
  for (const id of ids) {
    const entity = resolveContract(id ?? null)
    if (entity.id !== null || entity.address !== null) return entity
  }
  return noEntity
}

function contractOrFile(
  body: TransactionRecorded['systemDelete'] | TransactionRecorded['systemUndelete'] | undefined,
): Entity | bigint {
  if (body?.contractID) return resolveContract(body.contractID)
  return numberOf(body?.fileID ?? null)
}

function hookOwner(body: TransactionRecorded['hookStore'] | undefined): Entity {
  const owner = body?.hookId?.entityId
  if (owner?.accountId) return resolveAccount(owner.accountId)
  return resolveContract(owner?.contractId ?? null)
}
