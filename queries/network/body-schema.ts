import { int64, key, nullableText, objectSchema, text } from '#queries/common/object-schema.ts'

const amount = { ...int64, nullable: true, description: 'Tinybars' }
const timestampRange = { type: 'object', properties: { from: text, to: nullableText } }
const endpoint = { type: 'object', properties: { domain_name: text, ip_address_v4: text, port: { type: 'integer' } } }

export const nodeSchema = objectSchema(
  {
    admin_key: key,
    associated_registered_nodes: { type: 'array', items: int64 },
    decline_reward: { type: 'boolean', nullable: true },
    description: nullableText,
    file_id: text,
    grpc_proxy_endpoint: { ...endpoint, nullable: true },
    max_stake: amount,
    memo: nullableText,
    min_stake: amount,
    node_account_id: nullableText,
    node_cert_hash: text,
    node_id: int64,
    public_key: text,
    reward_rate_start: amount,
    service_endpoints: { type: 'array', items: endpoint },
    stake: amount,
    stake_not_rewarded: amount,
    stake_rewarded: amount,
    staking_period: { ...timestampRange, nullable: true },
    timestamp: { ...timestampRange, description: 'When the address book is in force' },
  },
  { title: 'Node' },
)

const nothing = { type: 'object', nullable: true }

const registeredEndpointSchema = {
  type: 'object',
  properties: {
    block_node: { ...nothing, properties: { endpoint_apis: { type: 'array', items: text } } },
    domain_name: nullableText,
    general_service: { ...nothing, properties: { description: nullableText } },
    ip_address: nullableText,
    mirror_node: nothing,
    port: { type: 'integer' },
    requires_tls: { type: 'boolean' },
    rpc_relay: nothing,
    type: text,
  },
}

export const registeredNodeSchema = objectSchema(
  {
    admin_key: key,
    created_timestamp: nullableText,
    description: nullableText,
    registered_node_id: int64,
    service_endpoints: { type: 'array', items: registeredEndpointSchema },
    timestamp: timestampRange,
  },
  { title: 'RegisteredNode' },
)
