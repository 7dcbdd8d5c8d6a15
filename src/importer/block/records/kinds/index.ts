import { transactionType } from '#src/domain/transaction-types.ts'
import { accountCreate } from '#src/importer/block/records/kinds/account-create.ts'
import { accountUpdate } from '#src/importer/block/records/kinds/account-update.ts'
import { contractChange } from '#src/importer/block/records/kinds/contract-change.ts'
import { fileCreate } from '#src/importer/block/records/kinds/file-create.ts'
import { nodeCreate } from '#src/importer/block/records/kinds/node-create.ts'
import { pseudoRandom } from '#src/importer/block/records/kinds/pseudo-random.ts'
import { registeredNodeCreate } from '#src/importer/block/records/kinds/registered-node-create.ts'
import { scheduleCreate, scheduleSign } from '#src/importer/block/records/kinds/schedules.ts'
import { tokenAirdrop } from '#src/importer/block/records/kinds/token-airdrop.ts'
import { tokenCreate } from '#src/importer/block/records/kinds/token-create.ts'
import { tokenBurn, tokenMint, tokenWipe } from '#src/importer/block/records/kinds/token-supply.ts'
import { topicCreate } from '#src/importer/block/records/kinds/topic-create.ts'
import { topicMessage } from '#src/importer/block/records/kinds/topic-message.ts'
import type { KindOfRecord } from '#src/importer/block/records/record-draft.ts'

/** Kinds whose record has more than every result tells, by type; of what succeeded. */
export const kindsOfRecords: Readonly<Record<number, KindOfRecord>> = {
  [transactionType.cryptoCreate]: accountCreate,
  [transactionType.cryptoUpdate]: accountUpdate,
  [transactionType.contractUpdate]: contractChange,
  [transactionType.contractDelete]: contractChange,
  [transactionType.fileCreate]: fileCreate,
  [transactionType.tokenCreate]: tokenCreate,
  [transactionType.tokenMint]: tokenMint,
  [transactionType.tokenBurn]: tokenBurn,
  [transactionType.tokenWipe]: tokenWipe,
  [transactionType.tokenAirdrop]: tokenAirdrop,
  [transactionType.topicCreate]: topicCreate,
  [transactionType.topicMessage]: topicMessage,
  [transactionType.scheduleSign]: scheduleSign,
  [transactionType.pseudoRandom]: pseudoRandom,
  [transactionType.nodeCreate]: nodeCreate,
  [transactionType.registeredNodeCreate]: registeredNodeCreate,
}

/** The same whether it succeeded or not. */
export const kindsOfAnyRecord: Readonly<Record<number, KindOfRecord>> = {
  [transactionType.scheduleCreate]: scheduleCreate,
}
