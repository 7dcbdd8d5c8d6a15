import { created, deleted, keyHex, nanosOf, updated } from '#src/simulator/changes.ts'
import type { Message } from '#src/simulator/codec.ts'
import { accountId, hexBytes, seconds, topicId, wrapped } from '#src/simulator/ids.ts'
import type { Update } from '#src/simulator/kinds/account.ts'
import type { LedgerChange, MessageFacts, TopicFacts } from '#src/simulator/ledger-change.ts'
import { forget, remember, type Topic } from '#src/simulator/ledger-state.ts'
import { sha384 } from '#src/simulator/record-file.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const topicsMost = 100
const autoRenewSeconds = 7_776_000
const runningHashVersion = 3
const firstRunningHash = '00'.repeat(48)

export const topicCreate: Kind = (world) => {
  const payer = world.payer()
  const collector = world.user().num
  const first = world.state.topics.every((topic) => topic.fee === null)
  const fee = first || world.prng.chance(0.3) ? { collector, tinybars: 50_000 } : null
  const key = world.keyOf(payer)
  const submitKey = world.prng.chance(0.5) ? key : null
  const memo = `topic of user ${payer}`
  const body: Message = {
    memo,
    adminKey: key,
    autoRenewPeriod: seconds(autoRenewSeconds),
    autoRenewAccount: accountId(payer),
    ...(submitKey ? { submitKey } : {}),
    ...(fee
      ? {
          feeScheduleKey: key,
          customFees: [fixedFee(fee)],
        }
      : {}),
  }
  const result = world.failure('INSUFFICIENT_PAYER_BALANCE')
  if (result) return { body: { consensusCreateTopic: body }, payer, result }
  const topic: Topic = { num: world.newEntity(), sequence: 0, runningHash: firstRunningHash, fee }
  remember(world.state.topics, topic, topicsMost)
  const facts = { type: 'TOPIC' as const, memo, autoRenewSeconds, autoRenewAccount: payer }
  const keys = { adminKey: keyHex(key), submitKey: submitKey && keyHex(key), feeScheduleKey: fee && keyHex(key) }
  const changes = [created(topic.num, facts), topicChange(topic, keys), feesChange(topic)]
  return { body: { consensusCreateTopic: body }, payer, receipt: { topicID: topicId(topic.num) }, changes }
}

function topicChange({ num }: Topic, set: Partial<TopicFacts>): LedgerChange {
  return { table: 'topics', key: String(num), set }
}

function feesChange({ num, fee }: Topic): LedgerChange {
  return { table: 'topicFees', key: String(num), set: { fees: fee ? [fee] : [] } }
}

function messageChange(
  { num, sequence, runningHash }: Topic,
  payer: number,
  message: Buffer,
  chunk: MessageFacts['chunk'] = null,
): LedgerChange {
  const set = { message: message.toString('hex'), payer, runningHash, chunk }
  return { table: 'messages', key: `${num}/${sequence}`, set }
}

/** A message, sometimes a chunk of a longer one. Topics with a fee charge it, within the limit that the payer sets. */
export const topicMessage: Kind = (world) => {
  const topic = world.some(world.state.topics)
  return topic && messageTo(world, topic)
}

export const feeTopicMessage: Kind = (world) => {
  const topic = world.some(world.state.topics.filter(({ fee }) => fee !== null))
  return topic && messageTo(world, topic)
}

export function messageTo(world: World, topic: Topic): Submission {
  const payer = world.payer()
  const message = Buffer.from(`{"sensor":${world.prng.below(1_000)},"value":${world.prng.below(100_000)}}`)
  const charged = topic.fee !== null && topic.fee.collector !== payer ? topic.fee : null
  const body = { consensusSubmitMessage: { topicID: topicId(topic.num), message } }
  const header = charged
    ? { maxCustomFees: [{ accountId: accountId(payer), fees: [{ amount: charged.tinybars * 2 }] }] }
    : {}
  const result = world.failure(
    'INVALID_SIGNATURE',
    'INVALID_TOPIC_ID',
    ...(charged ? (['MAX_CUSTOM_FEE_LIMIT_EXCEEDED'] as const) : []),
  )
  if (result) return { body, payer, header, result }
  topic.sequence += 1
  topic.runningHash = nextRunningHash(world, topic, payer, message)
  return {
    body,
    payer,
    header,
    receipt: {
      topicSequenceNumber: topic.sequence,
      topicRunningHash: hexBytes(topic.runningHash),
      topicRunningHashVersion: runningHashVersion,
    },
    changes: [messageChange(topic, payer, message)],
    ...(charged ? assessed(payer, charged) : {}),
  }
}

function assessed(
  payer: number,
  { collector, tinybars }: NonNullable<Topic['fee']>,
): Pick<Submission, 'movements' | 'record'> {
  const fee = {
    amount: tinybars,
    feeCollectorAccountId: accountId(collector),
    effectivePayerAccountId: [accountId(payer)],
  }
  return {
    movements: [
      [payer, -tinybars],
      [collector, tinybars],
    ],
    record: { assessedCustomFees: [fee] },
  }
}

/** Chained over everything a message has, like the network's; the network frames the parts as Java objects, which is left out. */
function nextRunningHash(world: World, topic: Topic, payer: number, message: Buffer): string {
  const numbers = [runningHashVersion, payer, topic.num, world.now.seconds, world.now.nanos, topic.sequence]
  const words = Buffer.alloc(numbers.length * 8)
  for (const [index, number] of numbers.entries()) words.writeBigInt64BE(BigInt(number), index * 8)
  return sha384(Buffer.concat([hexBytes(topic.runningHash), words, sha384(message)])).toString('hex')
}

/** A long message in chunks: each names the transaction that brought the first. */
export const chunkedMessage: Kind = (world) => {
  const topic = world.some(world.state.topics.filter(({ fee }) => fee === null))
  if (!topic) return undefined
  const payer = world.payer()
  const total = world.prng.between(2, 4)
  const validStart = { seconds: world.now.seconds - 3, nanos: world.now.nanos }
  const initialTransactionID = { transactionValidStart: validStart, accountID: accountId(payer) }
  return Array.from({ length: total }, (_, index): Submission => {
    const message = world.prng.bytes(200)
    topic.sequence += 1
    topic.runningHash = nextRunningHash(world, topic, payer, message)
    const chunkInfo = { initialTransactionID, total, number: index + 1 }
    return {
      body: { consensusSubmitMessage: { topicID: topicId(topic.num), message, chunkInfo } },
      payer,
      receipt: {
        topicSequenceNumber: topic.sequence,
        topicRunningHash: hexBytes(topic.runningHash),
        topicRunningHashVersion: runningHashVersion,
      },
      changes: [messageChange(topic, payer, message, { number: index + 1, total, payer, validStart })],
    }
  })
}

export const topicUpdate: Kind = (world) => {
  const topic = world.some(world.state.topics)
  if (!topic) return undefined
  const payer = world.payer()
  const result = world.failure('UNAUTHORIZED')
  const { fields, facts } = world.prng.chance(0.5) ? renamed(world) : otherTerms(world, payer)
  const own = ownTerms(world, topic, payer, result !== undefined)
  const body = { consensusUpdateTopic: { topicID: topicId(topic.num), ...fields, ...own.fields } }
  return { body, payer, changes: [updated(topic.num, facts), ...own.changes], ...(result ? { result } : {}) }
}

/** What only topics have, changed in turn: keys, or the fee. An empty list of keys takes one away. */
function ownTerms(
  world: World,
  topic: Topic,
  payer: number,
  failed: boolean,
): { readonly fields: Message; readonly changes: readonly LedgerChange[] } {
  const key = world.keyOf(payer)
  switch ((topic.sequence + payer) % 4) {
    case 0: {
      const submitKey = topic.sequence % 2 === 0 ? { keyList: {} } : key
      const facts = { submitKey: keyHex(submitKey), feeExemptKeys: [keyHex(key)] }
      return { fields: { submitKey, feeExemptKeyList: { keys: [key] } }, changes: [topicChange(topic, facts)] }
    }
    case 1: {
      const fee = topic.fee ? null : { collector: payer, tinybars: 60_000 }
      const customFees = { fees: fee ? [fixedFee(fee)] : [] }
      if (!failed) topic.fee = fee
      return { fields: { customFees }, changes: [feesChange(topic)] }
    }
    default:
      return { fields: {}, changes: [] }
  }
}

function fixedFee({ tinybars, collector }: NonNullable<Topic['fee']>): Message {
  return { fixedFee: { amount: tinybars }, feeCollectorAccountId: accountId(collector) }
}

function renamed({ prng }: World): Update {
  const memo = prng.chance(0.1) ? '' : `renamed ${prng.below(100)}`
  return { fields: { memo: wrapped(memo) }, facts: { memo } }
}

/** Account 0.0.0 takes the renewing account away. */
function otherTerms({ prng, now }: World, payer: number): Update {
  const period = prng.between(30, 92) * 86_400
  const expiry = now.seconds + prng.between(30, 92) * 86_400
  const autoRenewAccount = prng.chance(0.4) ? 0 : payer
  return {
    fields: {
      autoRenewPeriod: seconds(period),
      expirationTime: seconds(expiry),
      autoRenewAccount: accountId(autoRenewAccount),
    },
    facts: { autoRenewSeconds: period, expirationTime: nanosOf(expiry), autoRenewAccount },
  }
}

export const topicDelete: Kind = (world) => {
  const topic = world.state.topics.length > 5 ? world.some(world.state.topics) : undefined
  if (!topic) return undefined
  const result = world.failure('UNAUTHORIZED', 'INVALID_SIGNATURE')
  if (!result) forget(world.state.topics, topic)
  return {
    body: { consensusDeleteTopic: { topicID: topicId(topic.num) } },
    payer: world.payer(),
    changes: [deleted(topic.num)],
    ...(result ? { result } : {}),
  }
}
