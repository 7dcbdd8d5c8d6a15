import { type RecordHeader, recordHeaders } from '#src/adapters/kafka/records.ts'
import { type AvroRecord, fingerprint } from '#src/events/avro-schema.ts'
import { type EventType, type TopicName, topicNames, typesOn } from '#src/events/event-types.ts'
import { eventKeys, messageTime } from '#src/events/topic-contract.ts'

const kafkaBinding = '0.5.0'
const avroFormat = 'application/vnd.apache.avro+json;version=1.9.0'
const description = `The history of a public ledger as events on Kafka.

One topic with one partition has everything in one order: an opening snapshot, then for each block its transactions in
consensus order, closed by the block. A block is written in one Kafka transaction, so **readers must set
\`isolation.level=read_committed\`**; otherwise they see blocks that were given up half-way. Each event has a sequence in its headers, from 1
without a gap; by it a subscriber recognizes what it has seen before. A new generation of the log is another topic.

What is published for subscribers of one subject has a topic and a sequence of its own: the logs of contracts and tokens, by a read model; transfers,
messages of topics, and blocks, copied from the log where the operator asks for it.

Where a schema registry is in use, each event has a subject of its own, \`<topic>-<full name of the record>\`; under \`<topic>-value\` are the schemas of all
of them, and as its newest version a union of the current ones, so that tools with their defaults find them.`

/** Headers that only the parts of a large event have. */
const partHeaders: readonly RecordHeader[] = ['part', 'parts', 'value-sha256']

/** The AsyncAPI 3.0 document of what subscribers find: the topics, and each event with its Avro schema. */
export function printAsyncApi(events: readonly AvroRecord[]): string {
  return `${printTo(buildAsyncApi(events), expandedLevels, '')}\n`
}

/** A line per message and per schema; indented to the end, the document would have thirty thousand lines. */
const expandedLevels = 3

function printTo(value: object, levels: number, indent: string): string {
  if (levels === 0) return JSON.stringify(value)
  const inner = `${indent}  `
  const lines = Object.entries(value).map(([name, part]: [string, unknown]) => {
    const expands = typeof part === 'object' && part !== null && !Array.isArray(part)
    return `${inner}${JSON.stringify(name)}: ${expands ? printTo(part, levels - 1, inner) : JSON.stringify(part)}`
  })
  return `{\n${lines.join(',\n')}\n${indent}}`
}

function buildAsyncApi(events: readonly AvroRecord[]): object {
  return {
    asyncapi: '3.0.0',
    id: 'urn:ledger-history:events',
    info: {
      title: 'Ledger history events',
      version: '1',
      description,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/avro',
    servers: servers(),
    channels: Object.fromEntries(topicNames.flatMap(channelsOf)),
    operations: Object.fromEntries(topicNames.flatMap(operationsOf)),
    components: {
      messages: Object.fromEntries(events.map((event) => [event.name, message(event)])),
      schemas: Object.fromEntries(events.map((schema) => [schema.name, { schemaFormat: avroFormat, schema }])),
      securitySchemes: {
        plain: { type: 'plain', description: 'SASL/PLAIN; only by TLS' },
        scramSha256: { type: 'scramSha256', description: 'SASL/SCRAM-SHA-256' },
        scramSha512: { type: 'scramSha512', description: 'SASL/SCRAM-SHA-512' },
        certificate: { type: 'X509', description: 'A client certificate that the brokers trust' },
      },
    },
  }
}

const prefix = {
  description: 'What the operator set as kafka.topicPrefix',
  default: 'ledger',
}
const generation = { description: 'Number of the generation, from 2', examples: ['2'] }
const importer = 'What the importer publishes, and a subscriber receives'
const copies = 'What the importer copies of the log where it is asked to, and a subscriber receives'

interface TopicTexts {
  /** Of the channel: camel case, as identifiers are. */
  readonly id: string
  readonly first: string
  readonly later: string
  readonly publishes: string
}

const later = 'The same of a later generation of the log'
const topicTexts: Readonly<Record<TopicName, TopicTexts>> = {
  transactions: {
    id: 'transactions',
    first: 'The first generation of the log',
    later: 'A later generation of the log, written beside the one before and then put in its place',
    publishes: importer,
  },
  'contract-logs': {
    id: 'contractLogs',
    first: 'Every log of a contract, and those made for operations on tokens, of the first generation of the log',
    later,
    publishes: 'What the read model contract-logs publishes, and a subscriber receives',
  },
  transfers: {
    id: 'transfers',
    first: 'What transactions moved of hbar, tokens and NFTs, and nothing else, of the first generation of the log',
    later,
    publishes: copies,
  },
  'topic-messages': {
    id: 'topicMessages',
    first: 'Every message that a topic took, of the first generation of the log',
    later,
    publishes: copies,
  },
  blocks: { id: 'blocks', first: 'Every block, of the first generation of the log', later, publishes: copies },
}

/** That of the first generation of a topic, and that of the others. */
function channelsOf(topic: TopicName): [string, object][] {
  const { id, first, later } = topicTexts[topic]
  const address = `{prefix}.${topic}`
  return [
    [id, channel(address, first, typesOn(topic), { prefix })],
    [`${id}OfGeneration`, channel(`${address}.g{generation}`, later, typesOn(topic), { prefix, generation })],
  ]
}

function operationsOf(topic: TopicName): [string, object][] {
  const { id, publishes } = topicTexts[topic]
  return [id, `${id}OfGeneration`].map((name) => [
    `publish${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
    operation(name, typesOn(topic), publishes),
  ])
}

function servers(): object {
  const variables = { host: { default: '127.0.0.1', description: 'A broker' }, port: { default: '9092' } }
  const bindings = { kafka: { schemaRegistryVendor: 'confluent', bindingVersion: kafkaBinding } }
  const security = ['scramSha512', 'scramSha256', 'plain', 'certificate'].map((name) => ({
    $ref: `#/components/securitySchemes/${name}`,
  }))
  const host = '{host}:{port}'
  return {
    open: { host, protocol: 'kafka', description: 'Brokers on a trusted network', variables, bindings },
    secured: {
      host,
      protocol: 'kafka-secure',
      description: 'Brokers that are reached by TLS, with one of these credentials',
      variables,
      security,
      bindings,
    },
  }
}

function channel(address: string, text: string, names: readonly string[], parameters: object): object {
  return {
    address,
    title: address,
    description: `${text}. Message time: ${messageTime}.`,
    messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
    parameters,
    bindings: {
      kafka: {
        partitions: 1,
        topicConfiguration: { 'cleanup.policy': ['delete'], 'retention.ms': -1, 'retention.bytes': -1 },
        bindingVersion: kafkaBinding,
      },
    },
  }
}

function operation(channelName: string, names: readonly string[], summary: string): object {
  return {
    action: 'send',
    channel: { $ref: `#/channels/${channelName}` },
    summary,
    messages: names.map((name) => ({ $ref: `#/channels/${channelName}/messages/${name}` })),
  }
}

function message(event: AvroRecord): object {
  return {
    name: event.name,
    title: event.name,
    summary: event.doc,
    contentType: 'application/avro',
    headers: headers(event),
    payload: { $ref: `#/components/schemas/${event.name}` },
    bindings: {
      kafka: {
        key: { type: 'string', description: eventKeys[event.name as EventType] },
        schemaIdLocation: 'payload',
        schemaIdPayloadEncoding: 'confluent',
        schemaLookupStrategy: 'TopicRecordNameStrategy',
        bindingVersion: kafkaBinding,
      },
    },
  }
}

function headers(event: AvroRecord): object {
  const all = Object.keys(recordHeaders) as RecordHeader[]
  const constants: Partial<Record<RecordHeader, string>> = {
    'event-type': event.name,
    'schema-fingerprint': fingerprint(event).toString('hex'),
  }
  const properties = all.map((name) => {
    // Earlier releases wrote with other schemas, so a fingerprint is an example; the type is what it is.
    const value = constants[name]
    const known = value === undefined ? {} : name === 'event-type' ? { const: value } : { examples: [value] }
    return [name, { type: 'string', description: recordHeaders[name], ...known }]
  })
  return {
    type: 'object',
    required: all.filter((name) => !partHeaders.includes(name)),
    properties: Object.fromEntries(properties),
  }
}
