import { hash } from 'node:crypto'
import { keccak256 } from '#src/domain/keccak.ts'
import { isSuccessCode } from '#src/domain/response-codes.ts'
import type { Message } from '#src/simulator/codec.ts'
import { type BlockTransaction, topOf, transactionsOf } from '#test/simulator/blocks/block-transactions.ts'
import { contractResultOf } from '#test/simulator/blocks/contract-results.ts'
import type { ReadBlockFile } from '#test/simulator/blocks/read-blocks.ts'
import { airdropName, StateContext } from '#test/simulator/blocks/state-context.ts'

/** What a consumer makes of a transaction of a block: the record, as far as there is one, and sidecar records without time. */
export interface RebuiltRecord {
  readonly transaction: BlockTransaction
  readonly record: Message
  readonly sidecars: readonly Message[]
}

/** The records that record files would have had, by the table of the reference alone, from the last to the first. */
export function recordsOf(block: ReadBlockFile): RebuiltRecord[] {
  const transactions = transactionsOf(block)
  const contexts = new Map<BlockTransaction, StateContext>()
  const reads: ReadsAfter = new Map()
  const rebuilt = transactions.toReversed().map((transaction): RebuiltRecord => {
    const top = topOf(transaction)
    const context = contexts.get(top) ?? new StateContext(top.state)
    contexts.set(top, context)
    const { result, body } = transaction
    const common = {
      receipt: { status: result['status'], ...(succeeded(transaction) ? receiptOf(transaction, context) : {}) },
      transactionHash: hash('sha384', transaction.signed, 'buffer'),
      consensusTimestamp: result['consensusTimestamp'],
      transactionID: body['transactionID'],
      ...copied(body, ['memo']),
      ...copied(result, sameInResult),
      ...('transactionFeeCharged' in result ? { transactionFee: result['transactionFeeCharged'] } : {}),
      ...outputFields(transaction),
      ...(succeeded(transaction) ? airdropFields(transaction, context) : {}),
    }
    const ran = contractResultOf(transaction, context, readsOf(reads, top))
    const record = { ...common, ...ran.record, receipt: { ...common.receipt, ...ran.receipt } }
    return { transaction, record, sidecars: ran.sidecars }
  })
  return rebuilt.toReversed()
}

/** What later transactions of a family read first, by owner and slot: what the ones before them wrote. */
export type SlotReads = Map<string, string>
type ReadsAfter = Map<BlockTransaction, SlotReads>

function readsOf(reads: ReadsAfter, top: BlockTransaction): SlotReads {
  const known = reads.get(top) ?? new Map<string, string>()
  reads.set(top, known)
  return known
}

const sameInResult = [
  'parentConsensusTimestamp',
  'scheduleRef',
  'transferList',
  'tokenTransferLists',
  'automaticTokenAssociations',
  'paidStakingRewards',
  'assessedCustomFees',
  'highVolumePricingMultiplier',
]

function copied(from: Message, names: readonly string[]): Message {
  return Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]))
}

/** With its parent, but for a delegation, which stays when what brought it fails. */
function succeeded({ result, parent, body }: BlockTransaction): boolean {
  const stays = 'delegationAddress' in ((body['cryptoUpdateAccount'] ?? {}) as Message)
  return isSuccessCode(Number(result['status'])) && (stays || parent === undefined || succeeded(parent))
}

function outputOf({ outputs }: BlockTransaction, name: string): Message | undefined {
  return outputs.find((output) => name in output)?.[name] as Message | undefined
}

function receiptOf(transaction: BlockTransaction, context: StateContext): Message {
  const { kind, body } = transaction
  const data = body[kind] as Message
  switch (kind) {
    case 'fileCreate':
      return { fileID: { fileNum: context.files.pop() } }
    case 'tokenCreation':
      return { tokenID: { tokenNum: context.tokens.pop() } }
    case 'consensusCreateTopic':
      return { topicID: { topicNum: context.topics.pop() } }
    case 'nodeCreate':
      return idOf('nodeId', context.nodes.pop())
    case 'registeredNodeCreate':
      return idOf('registeredNodeId', context.registeredNodes.shift())
    case 'cryptoCreateAccount':
      return { accountID: outputOf(transaction, 'accountCreate')!['createdAccountId'] }
    case 'cryptoUpdateAccount':
      return { accountID: data['accountIDToUpdate'] }
    case 'contractUpdateInstance':
    case 'contractDeleteInstance':
      return { contractID: contractIn(data['contractID'] as Message, context) }
    case 'consensusSubmitMessage':
      return messageReceipt(transaction, data, context)
    case 'tokenMint':
      return supplyReceipt(data, context, -changeOf(data, 'metadata'), serialsIn(transaction))
    case 'tokenBurn':
    case 'tokenWipe':
      return supplyReceipt(data, context, changeOf(data, 'serialNumbers'), {})
    default:
      return scheduleReceipt(transaction)
  }
}

function idOf(name: string, id: number | undefined): Message {
  return id === 0 ? {} : { [name]: id }
}

function scheduleReceipt(transaction: BlockTransaction): Message {
  const created = outputOf(transaction, 'createSchedule')
  if (created) return { scheduleID: created['scheduleId'], scheduledTransactionID: created['scheduledTransactionId'] }
  const signed = outputOf(transaction, 'signSchedule')
  return signed ? { scheduledTransactionID: signed['scheduledTransactionId'] } : {}
}

function contractIn(id: Message, context: StateContext): Message {
  if (!id['evmAddress']) return id
  const address = Buffer.from(id['evmAddress'] as Uint8Array).toString('hex')
  const [num] = [...context.aliases].find(([, alias]) => alias === address) ?? []
  if (num === undefined) throw new Error(`no contract at ${address}`)
  return { contractNum: num }
}

function messageReceipt({ traces }: BlockTransaction, { topicID }: Message, context: StateContext): Message {
  const topic = Number((topicID as Message)['topicNum'])
  const traced = traces.map((trace) => trace['submitMessageTraceData'] as Message | undefined).find(Boolean)
  const state = context.messages.get(topic)
  if (!traced) context.messages.delete(topic)
  return {
    topicRunningHashVersion: 3,
    topicSequenceNumber: traced?.['sequenceNumber'] ?? state?.sequence,
    topicRunningHash: traced?.['runningHash'] ?? Buffer.from(state?.runningHash ?? '', 'hex'),
  }
}

function changeOf({ amount, ...data }: Message, list: string): number {
  return Number(amount ?? 0) + ((data[list] ?? []) as unknown[]).length
}

/** The state has what is left after the last one; `undone` leads from there to what was before this one. */
function supplyReceipt({ token }: Message, { supplies }: StateContext, undone: number, more: Message): Message {
  const num = Number((token as Message)['tokenNum'])
  const supply = supplies.get(num)
  if (supply === undefined) throw new Error(`no supply of token ${num}`)
  supplies.set(num, supply + undone)
  return { ...(supply === 0 ? {} : { newTotalSupply: supply }), ...more }
}

function serialsIn({ result }: BlockTransaction): Message {
  const lists = (result['tokenTransferLists'] ?? []) as Message[]
  const serials = lists.flatMap(({ nftTransfers = [] }) =>
    (nftTransfers as Message[]).map(({ serialNumber }) => Number(serialNumber)),
  )
  return serials.length > 0 ? { serialNumbers: serials.sort((left, right) => left - right) } : {}
}

function outputFields(transaction: BlockTransaction): Message {
  const { prngBytes, prngNumber } = outputOf(transaction, 'utilPrng') ?? {}
  const random = prngBytes ? { prngBytes } : prngNumber === undefined ? {} : { prngNumber }
  return { ...random, ...addressField(transaction) }
}

const ecdsaAlias = /^3a21(02|03)/

/** The address of a new account that has a key as alias. */
function addressField({ kind, body, ...rest }: BlockTransaction): Message {
  if (kind !== 'cryptoCreateAccount' || !isSuccessCode(Number(rest.result['status']))) return {}
  const alias = Buffer.from(((body[kind] as Message)['alias'] ?? []) as Uint8Array)
  return ecdsaAlias.test(alias.toString('hex')) ? { evmAddress: addressOfKey(alias.subarray(2)) } : {}
}

function addressOfKey(compressed: Uint8Array): Buffer {
  return keccak256(uncompressed(compressed).subarray(1)).subarray(12)
}

const prime = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn

function uncompressed(compressed: Uint8Array): Buffer {
  const x = BigInt(`0x${Buffer.from(compressed.subarray(1)).toString('hex')}`)
  const root = power((x * x * x + 7n) % prime, (prime + 1n) / 4n)
  const y = root % 2n === BigInt(compressed[0]! % 2) ? root : prime - root
  return Buffer.from(`04${[x, y].map((part) => part.toString(16).padStart(64, '0')).join('')}`, 'hex')
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % prime
    square = (square * square) % prime
  }
  return result
}

/** What the body drops and the result credits to nobody waits. */
function airdropFields({ kind, body, result }: BlockTransaction, context: StateContext): Message {
  if (kind !== 'tokenAirdrop') return {}
  const credited = new Set(
    ((result['tokenTransferLists'] ?? []) as Message[]).flatMap(({ token, transfers = [] }) =>
      (transfers as Message[]).map(({ accountID }) => `${tokenOf(token)}/${accountOf(accountID)}`),
    ),
  )
  const lists = (body['tokenAirdrop'] as Message)['tokenTransfers'] as Message[]
  const pending = lists.flatMap((list) => [...unitsOf(list, credited, context), ...nftsOf(list)])
  return pending.length > 0 ? { newPendingAirdrops: pending } : {}
}

const tokenOf = (id: unknown) => Number((id as Message)['tokenNum'])
const accountOf = (id: unknown) => Number((id as Message)['accountNum'])

function unitsOf({ token, transfers = [] }: Message, credited: ReadonlySet<string>, context: StateContext): Message[] {
  const amounts = transfers as { accountID: Message; amount: number }[]
  const senderId = amounts.find(({ amount }) => amount < 0)?.accountID
  return amounts
    .filter(({ accountID, amount }) => amount > 0 && !credited.has(`${tokenOf(token)}/${accountOf(accountID)}`))
    .map(({ accountID, amount }) => {
      const pendingAirdropId = { senderId, receiverId: accountID, fungibleTokenType: token }
      const name = airdropName(pendingAirdropId)
      const waiting = context.airdrops.get(name)
      if (waiting === undefined) throw new Error(`no state of the airdrop ${name}`)
      context.airdrops.set(name, waiting - amount)
      return { pendingAirdropId, pendingAirdropValue: { amount: waiting } }
    })
}

function nftsOf({ token, nftTransfers = [] }: Message): Message[] {
  return (nftTransfers as Message[]).map(({ senderAccountID, receiverAccountID, serialNumber }) => ({
    pendingAirdropId: {
      senderId: senderAccountID,
      receiverId: receiverAccountID,
      nonFungibleToken: { token_ID: token, serialNumber },
    },
  }))
}
