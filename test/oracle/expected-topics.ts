import type { LedgerView } from '#src/simulator/ledger-view.ts'
import { nanosSinceEpoch } from '#src/simulator/time.ts'
import { keyOf, timeOf } from '#test/oracle/expected-account.ts'
import type { Json } from '#test/oracle/simulated-ledger.ts'

/** What the API shows of a topic, as the network itself knows it. */
export function expectedTopic(num: number, view: LedgerView): Json {
  const [entity, topic, fees] = [view.entity(num)!, view.row('topics', num)!, view.row('topicFees', num)!]
  return {
    admin_key: keyOf(topic.adminKey),
    auto_renew_account: idOf(entity.autoRenewAccount),
    auto_renew_period: entity.autoRenewSeconds,
    created_timestamp: timeOf(entity.createdAt!),
    custom_fees: {
      created_timestamp: timeOf(fees.since),
      fixed_fees: fees.fees.map(({ tinybars, collector }) => ({
        amount: tinybars,
        collector_account_id: idOf(collector),
        denominating_token_id: null,
      })),
    },
    deleted: entity.deleted,
    fee_exempt_key_list: topic.feeExemptKeys.map(keyOf),
    fee_schedule_key: keyOf(topic.feeScheduleKey),
    memo: entity.memo,
    submit_key: keyOf(topic.submitKey),
    timestamp: { from: timeOf(entity.since), to: null },
    topic_id: idOf(num),
  }
}

/** The messages of a topic up to the view's instant, in their order. */
export function expectedMessages(num: number, view: LedgerView): Json[] {
  const messages = [...view.rows('messages', `${num}/`)].map(([key, row]) => ({
    number: Number(key.split('/')[1]),
    row,
  }))
  return messages
    .sort((a, b) => a.number - b.number)
    .map(({ number, row: { message, payer, runningHash, chunk, since } }) => ({
      chunk_info: chunk && {
        initial_transaction_id: {
          account_id: idOf(chunk.payer),
          nonce: 0,
          scheduled: false,
          transaction_valid_start: timeOf(nanosSinceEpoch(chunk.validStart)),
        },
        number: chunk.number,
        total: chunk.total,
      },
      consensus_timestamp: timeOf(since),
      message: Buffer.from(message, 'hex').toString('base64'),
      payer_account_id: idOf(payer),
      running_hash: Buffer.from(runningHash, 'hex').toString('base64'),
      running_hash_version: 3,
      sequence_number: number,
      topic_id: idOf(num),
    }))
}

/** A schedule, but for the signatures themselves: the network makes them up. */
export function expectedSchedule(num: number, view: LedgerView): Json {
  const [entity, schedule] = [view.entity(num)!, view.row('schedules', num)!]
  const signed = [...view.rows('scheduleSignatures', `${num}/`).values()]
  return {
    admin_key: keyOf(entity.key),
    consensus_timestamp: timeOf(entity.createdAt!),
    creator_account_id: idOf(schedule.creator),
    deleted: entity.deleted,
    executed_timestamp: schedule.executed ? timeOf(schedule.since) : null,
    expiration_time: timeOf(entity.expirationTime!),
    memo: entity.memo,
    payer_account_id: idOf(schedule.payer),
    schedule_id: idOf(num),
    signatures: signed.flatMap(({ since, keys }) =>
      keys.map((key) => ({
        consensus_timestamp: timeOf(since),
        public_key_prefix: Buffer.from(key, 'hex').toString('base64'),
        type: key.length === 64 ? 'ED25519' : 'ECDSA_SECP256K1',
      })),
    ),
    transaction_body: Buffer.from(schedule.body, 'hex').toString('base64'),
    wait_for_expiry: false,
  }
}

function idOf(num: number | null): string | null {
  return num ? `0.0.${num}` : null
}
