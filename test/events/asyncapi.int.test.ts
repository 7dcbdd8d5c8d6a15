import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { type AvroRecord, fingerprint } from '#src/events/avro-schema.ts'
import { eventTypes, topicNames, typesOn } from '#src/events/event-types.ts'
import { currentSchema } from '#src/events/schemas.ts'
import { openTestLedger } from '#test/http/ledger.ts'

interface Reference {
  readonly $ref: string
}

interface AsyncApi {
  readonly info: { readonly description: string }
  readonly channels: Readonly<
    Record<string, { readonly address: string; readonly messages: Record<string, Reference> }>
  >
  readonly operations: Readonly<
    Record<string, { readonly channel: Reference; readonly messages: readonly Reference[] }>
  >
  readonly components: {
    readonly messages: Readonly<Record<string, AsyncApiMessage>>
    readonly schemas: Readonly<Record<string, { readonly schemaFormat: string; readonly schema: AvroRecord }>>
  }
}

interface AsyncApiMessage {
  readonly payload: Reference
  readonly headers: {
    readonly required: readonly string[]
    readonly properties: Readonly<Record<string, { readonly const?: string; readonly examples?: readonly string[] }>>
  }
}

async function served(): Promise<AsyncApi> {
  const ledger = await openTestLedger()
  const app = ledger.app({ docs: true })
  const answer = await app.inject('/asyncapi.json')
  await app.close()
  await ledger.close()
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  return answer.json() as AsyncApi
}

const document = await served()

describe('the AsyncAPI document', () => {
  it('fits the schema of AsyncAPI 3.0', () => {
    const require = createRequire(import.meta.url)
    const schema = require('@asyncapi/specs/schemas/3.0.0-without-$id.json') as object
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)

    validate(document)

    expect(validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`) ?? []).toEqual([])
    expect(validate({ ...document, channels: { transactions: { address: 5 } } })).toBe(false)
  })

  it('has one message per event, with the schema that the event is written with', () => {
    const { messages, schemas } = document.components

    expect(Object.keys(messages)).toEqual([...eventTypes])
    for (const type of eventTypes) {
      const { schema, fingerprint: current } = currentSchema(type)
      expect(schemas[type]?.schemaFormat).toBe('application/vnd.apache.avro+json;version=1.9.0')
      expect(schemas[type]?.schema).toEqual(schema)
      expect(fingerprint(schemas[type]!.schema).toString('hex')).toBe(current)
      expect(messages[type]?.headers.properties['event-type']?.const).toBe(type)
      expect(messages[type]?.headers.properties['schema-fingerprint']?.examples).toEqual([current])
    }
  })

  it('refers to nothing that is not in it', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, path = '']) => path)

    expect(references.length).toBeGreaterThan(4 * eventTypes.length)
    expect(references.filter((path) => find(document, path) === undefined)).toEqual([])
  })

  it('names the topics of the first and of later generations', () => {
    const addresses = Object.values(document.channels).map(({ address }) => address)

    expect(addresses).toEqual(topicNames.flatMap((name) => [`{prefix}.${name}`, `{prefix}.${name}.g{generation}`]))
    for (const { address, messages } of Object.values(document.channels)) {
      const name = topicNames.find((each) => each === address.split('.')[1])!
      expect(Object.keys(messages)).toEqual(typesOn(name))
    }
  })
})

it('the AsyncAPI document says under which subjects the schemas are', () => {
  expect(document.info.description).toContain('`<topic>-<full name of the record>`')
  expect(document.info.description).toContain('`<topic>-value`')
})

describe('the documentation page', () => {
  it('leads to it', async () => {
    const ledger = await openTestLedger()
    const app = ledger.app({ docs: true })
    const answer = await app.inject('/api/v1/docs/openapi.json')
    const hidden = await ledger.app({ docs: false }).inject('/asyncapi.json')
    await app.close()
    await ledger.close()

    expect(answer.json().info.description).toContain('(/asyncapi.json)')
    expect(hidden.statusCode).toBe(404)
  })
})

function find(root: unknown, reference: string): unknown {
  const path = reference.replace(/^#\//, '').split('/')
  return path.reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], root)
}
