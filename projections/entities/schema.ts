import { entityIdCollections } from '#projections/entity-ids/schema.ts'
import { protocolCollections } from '#projections/protocol/schema.ts'
import type { RowOf } from '#src/ports/read-store.ts'
import { defineSchema } from '#src/runtime/schema/define-schema.ts'

/** Times are ns, ids are encoded entity ids; a truth value is 1 or 0. */
const state = {
  id: 'int64',
  /** ACCOUNT, CONTRACT, FILE, TOPIC, TOKEN, SCHEDULE; UNKNOWN where nothing but a change was seen. */
  type: 'text',
  /** The event that this version is true since; the time that it ended at, which the next one need not begin at. */
  from: 'int64',
  until: 'int64?',
  /** `from` of the version before; null for the first that is known. */
  previous: 'int64?',
  createdTimestamp: 'int64?',
  deleted: 'int32?',
  /** Serialized Key, of a file serialized KeyList. */
  key: 'bytes?',
  /** Hex of the one simple key inside the key: what an account is searched by. */
  publicKey: 'text?',
  alias: 'bytes?',
  evmAddress: 'bytes?',
  memo: 'text',
  expirationTimestamp: 'int64?',
  /** Seconds. */
  autoRenewPeriod: 'int64?',
  /** 0: nobody. */
  autoRenewAccountId: 'int64?',
  proxyAccountId: 'int64?',
  receiverSigRequired: 'int32?',
  /** -1: without limit. */
  maxAutomaticTokenAssociations: 'int32?',
  /** 0: no account. */
  stakedAccountId: 'int64?',
  /** -1: no node. */
  stakedNodeId: 'int64?',
  declineReward: 'int32',
  /** Days since 1970-01-01; -1: none. */
  stakePeriodStart: 'int64?',
  /** Changes in place: it opens no version, but leaves a row of `formerNonces`. */
  ethereumNonce: 'int64?',
  obtainerId: 'int64?',
  permanentRemoval: 'int32?',
  delegationAddress: 'bytes?',
} as const

/** Version 3 of the entities read model: accounts, contracts, files, topics, tokens and schedules, now and as they were. */
export const entitiesSchema = defineSchema({
  name: 'entities',
  version: 3,
  collections: {
    ...entityIdCollections,
    /** Statements about the past are among them. What an account is found by, its type and its key, may change while somebody asks. */
    entities: {
      kind: 'versioned',
      restated: true,
      newestOnly: ['shown'],
      foundBy: ['type', 'publicKey'],
      fields: {
        ...state,
        /**
         * Of an account that there is, its members in the REST API as `render.ts` writes them; null of everything else. There
         * are more versions than entities, and they are seldom asked for.
         */
        shown: 'text?',
      },
      key: ['id'],
      indexes: [
        ['type', 'id'],
        ['publicKey', 'id'],
      ],
    },
    /** Ethereum nonces until they changed: they change within a version, that of an entity with its newest one. */
    formerNonces: {
      kind: 'facts',
      time: 'until',
      fields: { id: 'int64', until: 'int64', nonce: 'int64?' },
      key: ['id', 'until'],
    },
    /** Ethereum nonces of contracts that their parent's record tells before their own creation does. */
    pendingNonces: { kind: 'state', fields: { id: 'int64', nonce: 'int64' }, key: ['id'] },
    ...protocolCollections,
  },
})

export type EntitiesSchema = typeof entitiesSchema
export type CurrentEntityRow = RowOf<EntitiesSchema, 'entities'>
/** What is known of an entity, now or once. */
export type EntityRow = RowOf<EntitiesSchema, 'entityVersions'>

/** Names of the types that the REST API lists as accounts. */
export const accountTypes = ['ACCOUNT', 'CONTRACT'] as const

/** Every field of what is known of an entity. */
export const entityFields = Object.keys(state) as (keyof typeof state)[]

export function isAccount({ type }: Pick<EntityRow, 'type'>): boolean {
  return accountTypes.some((name) => name === type)
}
