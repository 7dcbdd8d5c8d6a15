import { int64, key, nullableText, objectSchema, text } from '#queries/common/object-schema.ts'

export const timestampRange = { type: 'object', properties: { from: text, to: nullableText } }
export const endpoint = {
  type: 'object',
  properties: { domain_name: text, ip_address_v4: text, port: { type: 'integer' } },
}

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
