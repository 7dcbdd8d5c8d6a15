import { fileValue, tokenValue, topicValue } from '#src/simulator/blocks/entity-values.ts'
import type { StateDelta } from '#src/simulator/blocks/state-delta.ts'
import * as keys from '#src/simulator/blocks/state-keys.ts'
import type { Message } from '#src/simulator/codec.ts'
import { accountId, hexBytes, topicId } from '#src/simulator/ids.ts'
import type { EntityType, LedgerChange, TableName } from '#src/simulator/ledger-change.ts'
import type { World } from '#src/simulator/world.ts'

/** Where the changes of one family are collected. */
export interface StateContext {
  readonly world: World
  readonly delta: StateDelta
  /** Whose entries are written in the end, when their balances are what they stay. */
  readonly accounts: Set<number>
  /** Those of them that are deleted. */
  readonly gone: Set<number>
  /** The body of the transaction that changes something: the name of its data field, and what is in that. */
  readonly kind: string
  readonly data: Message
}

type Change<T extends TableName> = Extract<LedgerChange, { readonly table: T }>
type Handler<T extends TableName> = (context: StateContext, change: Change<T>) => void

/** Which entries of the network's states a change concerns; what is kept only for those who watch concerns none. */
const handlers: { readonly [T in TableName]?: Handler<T> } = {
  entities: changeEntity,
  relations: ({ accounts }, { key }) => accounts.add(partOf(key)),
  allowances: ({ accounts }, { key }) => accounts.add(partOf(key)),
  nftAllowances: ({ accounts }, { key }) => accounts.add(partOf(key)),
  tokens: ({ world, delta }, { key, set }) =>
    delta.put(keys.tokenKey(Number(key)), tokenValue(world, Number(key), set)),
  tokenFees: ({ world, delta }, { key }) => delta.put(keys.tokenKey(Number(key)), tokenValue(world, Number(key), {})),
  nfts: ({ delta }, { key }) => delta.put(keys.nftKey(partOf(key), partOf(key, 1))),
  airdrops: changeAirdrop,
  aliases: changeAlias,
  hooks: ({ world, delta }, { key, set: { deleted } }) =>
    deleted ? delta.remove(keys.hookKey(world, key)) : delta.put(keys.hookKey(world, key)),
  nodes: changeNode,
  registeredNodes: changeRegisteredNode,
  stakePeriod: ({ delta }, { set: { nodes } }) => {
    for (const id of nodes?.keys() ?? []) delta.put(keys.stakingInfoKey(id))
  },
  addressBooks: ({ delta }, { key, set: { book = '' } }) =>
    delta.put(keys.fileKey(Number(key)), fileValue(Number(key), hexBytes(book))),
  networkFiles: ({ delta }, { key, set: { contents = '' } }) =>
    delta.put(keys.fileKey(Number(key)), fileValue(Number(key), hexBytes(contents))),
  topics: ({ world, delta }, { key }) => delta.put(keys.topicKey(Number(key)), topicValue(world, Number(key))),
  topicFees: ({ world, delta }, { key }) => delta.put(keys.topicKey(Number(key)), topicValue(world, Number(key))),
  messages: changeMessages,
  schedules: ({ delta }, { key }) => delta.put(keys.scheduleKey(Number(key))),
  scheduleSignatures: ({ delta }, { key }) => delta.put(keys.scheduleKey(partOf(key))),
}

export function applyChange(context: StateContext, change: LedgerChange): void {
  const handler = handlers[change.table] as Handler<TableName> | undefined
  handler?.(context, change)
}

function partOf(key: string, part = 0): number {
  return Number(key.split('/')[part])
}

function changeEntity(context: StateContext, { key, set, fresh = false }: Change<'entities'>): void {
  const num = Number(key)
  const { world, delta, data } = context
  const { deleted = false } = set
  switch (set.type ?? typeOf(context.kind)) {
    case 'FILE':
      delta.put(keys.fileKey(num), fileValue(num, data['contents'] as Uint8Array | undefined, deleted))
      break
    case 'TOKEN':
      delta.put(keys.tokenKey(num), tokenValue(world, num, {}, deleted))
      break
    case 'TOPIC':
      delta.put(keys.topicKey(num), topicValue(world, num, { fresh, deleted }))
      break
    case 'SCHEDULE':
      delta.put(keys.scheduleKey(num))
      break
    default:
      context.accounts.add(num)
      if (deleted) context.gone.add(num)
  }
}

/** Of which type an entity is that a transaction changes without saying so. */
function typeOf(kind: string): EntityType {
  if (/^(file|system)/.test(kind)) return 'FILE'
  if (kind.startsWith('token')) return 'TOKEN'
  if (kind.startsWith('consensus')) return 'TOPIC'
  return kind.startsWith('schedule') ? 'SCHEDULE' : 'ACCOUNT'
}

function changeAirdrop({ delta }: StateContext, { key, set: { pending, amount } }: Change<'airdrops'>): void {
  const pendingAirdropValue = amount == null ? {} : { pendingAirdropValue: { amount: Number(amount) } }
  if (pending) delta.put(keys.airdropKey(key), { accountPendingAirdropValue: pendingAirdropValue })
  else delta.remove(keys.airdropKey(key))
}

function changeAlias({ delta }: StateContext, { key, set: { num } }: Change<'aliases'>): void {
  if (num == null) delta.remove(keys.aliasKey(key))
  else delta.put(keys.aliasKey(key), { accountIdValue: accountId(num) })
}

/** The number and the running hash of the newest message are its topic's. */
function changeMessages({ delta }: StateContext, { key, set: { runningHash = '' } }: Change<'messages'>): void {
  const topic = partOf(key)
  const newest = { sequenceNumber: partOf(key, 1), runningHash: hexBytes(runningHash) }
  delta.put(keys.topicKey(topic), { topicValue: { topicId: topicId(topic), ...newest } })
}

function changeNode({ world, delta }: StateContext, { key, set, fresh }: Change<'nodes'>): void {
  const id = Number(key)
  const account = set.account ?? world.state.nodes.find((node) => node.id === id)?.account
  const owner = account === undefined ? {} : { accountId: accountId(account) }
  delta.put(keys.nodeKey(id), { nodeValue: { nodeId: id, ...owner, ...(set.deleted ? { deleted: true } : {}) } })
  if (!fresh) return
  if (account !== undefined) delta.put(keys.accountNodeKey(account))
  delta.put(keys.stakingInfoKey(id))
}

function changeRegisteredNode({ delta }: StateContext, { key, set }: Change<'registeredNodes'>): void {
  const id = Number(key)
  const described = set.description ? { description: set.description } : {}
  if (set.deleted) delta.remove(keys.registeredNodeKey(id))
  else delta.put(keys.registeredNodeKey(id), { registeredNodeValue: { registeredNodeId: id, ...described } })
}
