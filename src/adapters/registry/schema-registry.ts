import { LedgerError } from '#src/domain/errors.ts'
import type { AvroSchema } from '#src/events/avro-schema.ts'

export interface SchemaRegistryOptions {
  /** Base address of the Confluent API, which may have a path, as in `http://host:8080/apis/ccompat/v7`. */
  readonly url: string
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** Milliseconds until one request is answered wholly. */
  readonly timeoutMs: number
}

/** Whether a subject would take a schema, and why not. */
export interface CompatibilityResult {
  readonly compatible: boolean
  readonly reason: string
}

/** A schema as a subject has it. */
export interface RegisteredSchema {
  /** The same under every subject. */
  readonly id: number
  readonly version: number
}

/** Where the registry finds a record that a schema only names. */
export interface SchemaReference {
  /** Full name of the record. */
  readonly name: string
  readonly subject: string
  readonly version: number
}

/** A schema as text: what others registered need not be Avro. */
export interface LatestSchema {
  readonly text: string
  readonly references: readonly SchemaReference[]
}

/**
 * A schema registry. Every method rejects with `registry_unavailable` when it does not answer, or not as a registry
 * does, and with `config_invalid` when it refuses the credentials.
 */
export interface SchemaRegistry {
  readonly url: string
  /** Exactly this schema under the subject, if it is registered there. */
  find(subject: string, schema: AvroSchema): Promise<RegisteredSchema | undefined>
  /** The newest version of the subject. */
  findLatest(subject: string): Promise<LatestSchema | undefined>
  /** Registers the schema unless it is there already; `schema_incompatible` when the subject's rule refuses it. */
  register(subject: string, schema: AvroSchema, references?: readonly SchemaReference[]): Promise<number>
  /** The rule that is set for this subject itself, if any. */
  findCompatibility(subject: string): Promise<string | undefined>
  setCompatibility(subject: string, level: string): Promise<void>
  /** Tests the schema against all versions of the subject by the subject's rule; a subject that is not there takes any. */
  testCompatibility(subject: string, schema: AvroSchema): Promise<CompatibilityResult>
  /** Removes a subject with all its versions; resolves to false where there is none. */
  removeSubject(subject: string): Promise<boolean>
}

export function openSchemaRegistry(options: SchemaRegistryOptions): SchemaRegistry {
  return new ConfluentRegistry(options)
}

const mediaType = 'application/vnd.schemaregistry.v1+json'
const reasonLengthMax = 600

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

class ConfluentRegistry implements SchemaRegistry {
  readonly url: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #timeoutMs: number

  constructor({ url, username, password, timeoutMs }: SchemaRegistryOptions) {
    const address = parseAddress(url)
    const user = username ?? decoded(address.username)
    const secret = password ?? decoded(address.password)
    address.username = ''
    address.password = ''
    this.url = address.href.replace(/\/+$/, '')
    this.#timeoutMs = timeoutMs
    const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
    this.#headers = { accept: mediaType, 'content-type': mediaType, ...(user === '' ? {} : { authorization }) }
  }

  async find(subject: string, schema: AvroSchema): Promise<RegisteredSchema | undefined> {
    const answer = await this.#ask('POST', `/subjects/${encodeURIComponent(subject)}`, schemaBody(schema))
    if (answer.status === 404) return undefined
    const body = this.#expectSuccess(answer, subject)
    return { id: numberOf(body, 'id', this.url), version: numberOf(body, 'version', this.url) }
  }

  async findLatest(subject: string): Promise<LatestSchema | undefined> {
    const answer = await this.#ask('GET', `/subjects/${encodeURIComponent(subject)}/versions/latest`)
    if (answer.status === 404) return undefined
    const { schema, references = [] } = this.#expectSuccess(answer, subject)
    return { text: String(schema), references: references as readonly SchemaReference[] }
  }

  async register(subject: string, schema: AvroSchema, references?: readonly SchemaReference[]): Promise<number> {
    const body = schemaBody(schema, references)
    const answer = await this.#ask('POST', `/subjects/${encodeURIComponent(subject)}/versions`, body)
    if (answer.status === 409) throw incompatible(subject, this.url, messageOf(answer))
    return numberOf(this.#expectSuccess(answer, subject), 'id', this.url)
  }

  async findCompatibility(subject: string): Promise<string | undefined> {
    const answer = await this.#ask('GET', `/config/${encodeURIComponent(subject)}`)
    if (answer.status === 404) return undefined
    return String(this.#expectSuccess(answer, subject)['compatibilityLevel'])
  }

  async setCompatibility(subject: string, level: string): Promise<void> {
    const answer = await this.#ask('PUT', `/config/${encodeURIComponent(subject)}`, { compatibility: level })
    this.#expectSuccess(answer, subject)
  }

  async testCompatibility(subject: string, schema: AvroSchema): Promise<CompatibilityResult> {
    const path = `/compatibility/subjects/${encodeURIComponent(subject)}/versions?verbose=true`
    const answer = await this.#ask('POST', path, schemaBody(schema))
    if (answer.status === 404) return { compatible: true, reason: '' }
    const { is_compatible: compatible, messages, reason } = this.#expectSuccess(answer, subject)
    const reasons = Array.isArray(messages) ? messages.map(String) : [String(reason ?? '')]
    return { compatible: compatible === true, reason: shortened(reasons.join('; ')) }
  }

  async removeSubject(subject: string): Promise<boolean> {
    const path = `/subjects/${encodeURIComponent(subject)}`
    const answer = await this.#ask('DELETE', path)
    if (answer.status === 404) return false
    this.#expectSuccess(answer, subject)
    return true
  }

  async #ask(method: string, path: string, body?: object): Promise<Answer> {
    try {
      const response = await fetch(`${this.url}${path}`, {
        method,
        headers: this.#headers,
        signal: AbortSignal.timeout(this.#timeoutMs),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const parsed = (await response.json()) as unknown
      if (typeof parsed !== 'object' || parsed === null) throw new Error(`it answers ${JSON.stringify(parsed)}`)
      return { status: response.status, body: parsed as Answer['body'] }
    } catch (error) {
      throw unavailable(this.url, reasonOf(error), error)
    }
  }

  #expectSuccess(answer: Answer, subject: string): Answer['body'] {
    const { status, body } = answer
    if (status >= 200 && status < 300) return body
    const details = { url: this.url, subject, status }
    if (status === 401 || status === 403) {
      const message = `The schema registry ${this.url} refuses access to ${subject} (status ${status}); check --registry-username and --registry-password`
      throw new LedgerError('config_invalid', message, details)
    }
    throw unavailable(this.url, `status ${status} for ${subject}: ${messageOf(answer)}`)
  }
}

function parseAddress(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (address && /^https?:$/.test(address.protocol)) return address
  // What stands before an @ may be a password, whatever else is wrong.
  const shown = JSON.stringify(url.replace(/^.*@/s, '…@'))
  const message = `The address of the schema registry must begin with http:// or https://, not ${shown}; check --registry-url`
  throw new LedgerError('config_invalid', message)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    const message =
      'Name and password in the address of the schema registry are not percent-encoded; encode them, or give --registry-username and --registry-password instead'
    throw new LedgerError('config_invalid', message, {}, error)
  }
}

function schemaBody(schema: AvroSchema, references?: readonly SchemaReference[]): object {
  return { schema: JSON.stringify(schema), schemaType: 'AVRO', ...(references && { references }) }
}

function numberOf(body: Answer['body'], name: 'id' | 'version', url: string): number {
  const { [name]: value } = body
  if (Number.isInteger(value)) return value as number
  throw unavailable(url, `it gives the ${name} ${JSON.stringify(value)}`)
}

function messageOf({ body }: Answer): string {
  return shortened(String(body['message'] ?? 'no reason given'))
}

function shortened(text: string): string {
  return text.length <= reasonLengthMax ? text : `${text.slice(0, reasonLengthMax)}…`
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message || (cause as NodeJS.ErrnoException).code}` : message
}

function unavailable(url: string, reason: string, cause?: unknown): LedgerError {
  const message = `The schema registry ${url} does not answer as it should (${reason}); check --registry-url, or run without one`
  return new LedgerError('registry_unavailable', message, { url }, cause)
}

/** What a subject's rule says no to. */
export function incompatible(subject: string, url: string, reason: string): LedgerError {
  const message = `The schema registry ${url} holds a schema under ${subject} that ours is not fully compatible with: ${reason}; nothing was published. Find out who registered it, and use another --kafka-topic-prefix or another registry`
  return new LedgerError('schema_incompatible', message, { subject, reason })
}
