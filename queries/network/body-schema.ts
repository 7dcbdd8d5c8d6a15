import { linksSchema, objectSchema } from '#queries/common/object-schema.ts'

const text = { type: 'string' }
const nullableText = { ...text, nullable: true }
const count = { type: 'integer', format: 'int64' }
const amount = { ...count, nullable: true, description: 'Tinybars' }
const timestampRange = { type: 'object', properties: { from: text, to: nullableText } }
const key = { type: 'object', nullable: true, properties: { _type: text, key: text } }
const endpoint = { type: 'object', properties: { domain_name: text, ip_address_v4: text, port: { type: 'integer' } } }

const nodeSchema = objectSchema(
  {
    admin_key: key,
    associated_registered_nodes: { type: 'array', items: count },
    decline_reward: { type: 'boolean', nullable: true },
    description: nullableText,
    file_id: text,
    grpc_proxy_endpoint: { ...endpoint, nullable: true },
    max_stake: amount,
    memo: nullableText,
    min_stake: amount,
    node_account_id: nullableText,
    node_cert_hash: text,
    node_id: count,
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

export const nodeListSchema = objectSchema(
  { nodes: { type: 'array', items: nodeSchema }, links: linksSchema },
  { title: 'NodeList' },
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

const registeredNodeSchema = objectSchema(
  {
    admin_key: key,
    created_timestamp: nullableText,
    description: nullableText,
    registered_node_id: count,
    service_endpoints: { type: 'array', items: registeredEndpointSchema },
    timestamp: timestampRange,
  },
  { title: 'RegisteredNode' },
)

export const registeredNodeListSchema = objectSchema(
  { registered_nodes: { type: 'array', items: registeredNodeSchema }, links: linksSchema },
  { title: 'RegisteredNodeList' },
)
