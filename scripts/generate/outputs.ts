import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AvroRecord, fingerprint } from '#src/events/avro-schema.ts'
import { eventTypes } from '#src/events/event-types.ts'
import { printAsyncApi } from './asyncapi.ts'
import { printCatalogue } from './catalogue.ts'
import {
  buildBlockDescriptor,
  buildDescriptor,
  compileDefinitions,
  definitionsSource,
  printDescriptor,
} from './descriptor.ts'
import { printResponseCodes } from './response-codes.ts'
import { bodyFields, buildTransactionRecorded } from './transaction-recorded.ts'
import { printDefaults, printTypes } from './typescript.ts'

const schemaFolder = 'schemas/events'

/** Every generated file of the repository: path below its root, and contents. */
export function generateFiles(repository: string): Map<string, string> {
  const definitions = compileDefinitions()
  const read = (path: string) => readFileSync(join(repository, path), 'utf8')
  const head = JSON.parse(read(`${schemaFolder}/TransactionRecorded.head.avsc`)) as AvroRecord
  const transactionRecorded = buildTransactionRecorded(head, definitions)
  const events = eventTypes.map((type) =>
    type === 'TransactionRecorded'
      ? transactionRecorded
      : (JSON.parse(read(`${schemaFolder}/${type}.avsc`)) as AvroRecord),
  )
  const source = definitionsSource()
  const bodies = bodyFields(definitions)
  const bodyNames = bodies.map((field) => field.name)
  return new Map([
    ['schemas/protobuf/descriptor.json', printDescriptor(buildDescriptor(definitions))],
    ['schemas/protobuf/block-descriptor.json', printDescriptor(buildBlockDescriptor(definitions))],
    [`${schemaFolder}/TransactionRecorded.avsc`, printSchema(transactionRecorded)],
    [`${schemaFolder}/types.ts`, printTypes(events, bodyNames)],
    [`${schemaFolder}/defaults.ts`, printDefaults(events)],
    [`${schemaFolder}/generated/asyncapi.json`, printAsyncApi(events)],
    [`${schemaFolder}/released/index.json`, printIndex(releasedSchemas(repository))],
    ['src/domain/response-codes.ts', printResponseCodes(definitions, source)],
    ['docs/reference/events.md', printCatalogue({ events, head, bodies, source })],
  ])
}

/** One field per line on the upper level; derived records follow on the line of the field that first uses them. */
function printSchema(schema: AvroRecord): string {
  const { fields, ...rest } = schema
  const head = JSON.stringify(rest).slice(0, -1)
  return `${head},"fields":[\n${fields.map((field) => JSON.stringify(field)).join(',\n')}\n]}\n`
}

/** Schemas of all releases, `released/<number>/<type>.avsc`. */
function releasedSchemas(repository: string): { path: string; schema: AvroRecord }[] {
  const folder = join(repository, schemaFolder, 'released')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.avsc'))
    .sort()
    .map((path) => ({ path, schema: JSON.parse(readFileSync(join(folder, path), 'utf8')) as AvroRecord }))
}

/** Fingerprint (hex, as on the wire) to event type and file; the first release that had a schema stands for it. */
function printIndex(released: readonly { path: string; schema: AvroRecord }[]): string {
  const index: Record<string, { type: string; path: string }> = {}
  for (const { path, schema } of released) index[fingerprint(schema).toString('hex')] ??= { type: schema.name, path }
  return `${JSON.stringify(index, null, 2)}\n`
}
