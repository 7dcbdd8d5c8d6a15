import type { FastifyInstance } from 'fastify'
import type { StepTools } from '#commands/verification/steps.ts'
import { VerificationService, type VerificationServiceOptions } from '#commands/verification/verification-service.ts'
import { contractResultsProjection } from '#projections/contract-results/projection.ts'
import { contractsProjection } from '#projections/contracts/projection.ts'
import { entitiesProjection } from '#projections/entities/projection.ts'
import { transactionsProjection } from '#projections/transactions/projection.ts'
import { verificationProjection } from '#projections/verification/projection.ts'
import { openSqliteContentStore } from '#src/adapters/sqlite/content-store.ts'
import { openSqliteControlStore } from '#src/adapters/sqlite/control-store.ts'
import { openSqliteDecisionStore } from '#src/adapters/sqlite/decision-store.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { checksumAddress } from '#src/domain/verification/checksum-address.ts'
import { VerificationProblem } from '#src/domain/verification/problem.ts'
import { createApp } from '#src/http/app.ts'
import { defaultHttpSettings } from '#src/http/settings.ts'
import { ServedReads } from '#src/http/verification/served-reads.ts'
import type { VerificationHttpSettings } from '#src/http/verification/settings.ts'
import type { DecisionStore, RecordedDecision } from '#src/ports/decision-store.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { ProjectionSchema, RowReader } from '#src/ports/read-store.ts'
import type { PublishedSources, SourceExplorers } from '#src/ports/source-explorer.ts'
import { decisionLog } from '#src/runtime/fold/decision-log.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { maskedHash } from '#src/verification/masked-hash.ts'
import type { CompiledContract, Outcome } from '#src/verification/outcome.ts'
import type { VerificationInput } from '#src/verification/verification-input.ts'
import { bytecode, createBody, functionResult, record, transaction } from '#test/projections/contract-results/story.ts'
import { fixedModels, versionsByName } from '#test/support/fixed-models.ts'
import { readerStandingAt } from '#test/support/reader-standing-at.ts'

export const chain = '298'
/** The contract that there is, its EVM address, and its long-zero one. */
export const contractId = '0.0.5001'
export const evmAddress = '4b912e9aa4df2e7db2b3274d764d1bd1371bafff'
export const checksummed = checksumAddress(evmAddress)
export const longZero = '0000000000000000000000000000000000001389'
const runtime = Buffer.from('6080604052600436106100295760003560e01c', 'hex')

export function contractCreated(
  time: bigint,
  id: bigint,
  address: Buffer | null,
  code: Buffer = runtime,
  initcode: Buffer = Buffer.concat([Buffer.from('6001', 'hex'), code]),
): LogRecord {
  return transaction({
    consensusTimestamp: time,
    type: 8,
    entityId: id,
    record: record({ contractCreateResult: functionResult({ evmAddress: address }) }),
    contractCreateInstance: createBody({ initcode }),
    contractBytecode: [bytecode(id, initcode.toString('hex'), code.toString('hex'))],
  })
}

export function published(text: string, more: Partial<PublishedSources> = {}): PublishedSources {
  return {
    form: 'single-file',
    language: 'Solidity',
    compilerVersion: '0.8.30+commit.73712a01',
    target: { path: 'Counter.sol', name: 'Counter' },
    sources: new Map([['Counter.sol', text]]),
    settings: { optimizer: { enabled: true, runs: 200 } },
    libraries: new Map(),
    implementation: undefined,
    ...more,
  }
}

/** An explorer that has what it is given. */
class FakeExplorer implements SourceExplorers {
  answer: PublishedSources | VerificationProblem = published('perfect')
  asked = 0
  apiKeys: (string | undefined)[] = []
  hold: Promise<void> = Promise.resolve()
  has(asked: string): boolean {
    return asked === chain
  }

  async find({ apiKey }: { apiKey?: string | undefined }) {
    this.asked += 1
    this.apiKeys.push(apiKey)
    await this.hold
    if (this.answer instanceof VerificationProblem) throw this.answer
    return { explorer: 'fake', published: this.answer }
  }
}

function compiledOf({ compilerVersion, target, sources, settings }: VerificationInput): CompiledContract {
  const text = [...sources.values()].join()
  return {
    name: target.name,
    path: target.path ?? [...sources.keys()][0]!,
    compilerVersion,
    compilerSha256: '00',
    metadata: JSON.stringify({ compiler: { version: compilerVersion }, text }),
    abi: [],
    sources: [...sources.keys()].filter((label) => !label.startsWith('unused')),
    settings,
    userdoc: {},
    devdoc: {},
    storageLayout: null,
    runtimeCode: runtime.toString('hex'),
    creationCode: '',
    warnings: [],
  }
}

/** Where clones differ. */
const varying = [{ start: 17, length: 2 }]

/** What the text of the sources says: a compiler takes seconds to load. */
export const fakeVerify: StepTools['verify'] = async (input, code): Promise<Outcome> => {
  const text = [...input.sources.values()].join()
  const contract = compiledOf(input)
  if (text.includes('syntax error')) {
    const message = 'It does not compile'
    return { status: null, code: 'compiler_error', message, difference: null, compilerErrors: ['bad'], contract: null }
  }
  if (!/perfect|partial/.test(text)) {
    const message = 'The code differs'
    return { status: null, code: 'no_match', message, difference: null, compilerErrors: [], contract }
  }
  const status = text.includes('perfect') ? 'perfect' : 'partial'
  return {
    status,
    runtimeMatch: status,
    creationMatch: null,
    createdBy: null,
    contract,
    libraries: [{ name: 'Lib.sol:Lib', placeholder: '__$aa$__', address: evmAddress }],
    libraryMap: { __$aa$__: evmAddress },
    immutables: {},
    callProtection: null,
    constructorArguments: null,
    varying,
    maskedHash: maskedHash(code.runtime ?? Buffer.alloc(0), varying),
  }
}

export interface FixtureOptions {
  readonly store?: DecisionStore
  readonly service?: Partial<VerificationServiceOptions>
  readonly settings?: Partial<VerificationHttpSettings>
  readonly docs?: boolean
}

const projections = [contractsProjection, entitiesProjection, contractResultsProjection, transactionsProjection]

/** A deployment in memory: log, read models, decisions, texts, and the API over them. */
export class VerificationFixture {
  readonly log = openSqliteLog({ folder: ':memory:' })
  readonly readStore = openSqliteReadStore({ folder: ':memory:' })
  readonly contents = openSqliteContentStore({ folder: ':memory:' })
  readonly control = openSqliteControlStore({ folder: ':memory:' })
  readonly explorer = new FakeExplorer()
  readonly store: DecisionStore
  readonly settings: VerificationHttpSettings
  readonly ended = new AbortController()
  time = Date.parse('2026-02-03T14:05:10.250Z')
  reads!: ServedReads
  service!: VerificationService
  app!: FastifyInstance
  readonly #options: FixtureOptions
  #folded: Promise<void> = Promise.resolve()

  constructor(options: FixtureOptions = {}) {
    this.#options = options
    this.store = options.store ?? openSqliteDecisionStore({ folder: ':memory:', pollMs: 1 })
    this.settings = {
      prefix: '/server',
      chainId: chain,
      network: 'simulated',
      origins: ['https://page.example'],
      secureCookies: false,
      requestsPerSecond: 0,
      waitMs: 5_000,
      sessionTtlMs: 43_200_000,
      sessionBytesMax: 50 << 20,
      trustedProxies: [],
      ...options.settings,
    }
  }

  async begin(
    records: readonly LogRecord[] = [contractCreated(1n, 5_001n, Buffer.from(evmAddress, 'hex'))],
  ): Promise<this> {
    const writer = await this.log.openWriter()
    await writer.append([records])
    await runProjections({ log: this.log, store: this.readStore, projections, follow: false, strict: true })
    await this.fold()
    const all = [...projections, verificationProjection]
    const readers = await Promise.all(
      all.map(async ({ schema, source }) => [schema.name, await this.#reader(schema, source)]),
    )
    const models = fixedModels(Object.fromEntries(readers) as Record<string, RowReader>, versionsByName(all))
    const foldedFirst = {
      use: async (...use: Parameters<typeof models.use>) => {
        await this.fold()
        return models.use(...use)
      },
    }
    this.reads = new ServedReads(foldedFirst as typeof models)
    this.service = this.newService()
    this.app = createApp({
      models,
      routes: [],
      settings: { ...defaultHttpSettings, docs: this.#options.docs ?? false },
      clock: { now: () => this.time },
      logger: silentLogger,
      readiness: async () => ({ ready: true }),
      verification: {
        service: this.service,
        explorers: this.explorer,
        reads: this.reads,
        contents: this.contents,
        control: () => this.control,
        verification: this.settings,
      },
    })
    return this
  }

  /** As of another process. */
  newService(more: Partial<VerificationServiceOptions> = {}): VerificationService {
    return new VerificationService({
      store: this.store,
      contents: this.contents,
      explorers: this.explorer,
      codes: this.reads,
      verify: fakeVerify,
      clock: { now: () => this.time },
      logger: silentLogger,
      atOnceMax: 10,
      takeOverMs: 60_000,
      signal: this.ended.signal,
      ...this.#options.service,
      ...more,
    })
  }

  async #reader(schema: ProjectionSchema, source: string): Promise<RowReader> {
    const reader = await this.readStore.openReader(schema)
    return source === 'decisions' ? reader : readerStandingAt(reader, (end) => end && { ...end, whole: end })
  }

  /** Brings the read model of decisions up to them; one after the other, since it has one owner. */
  fold(): Promise<void> {
    const log = decisionLog(this.store)
    const run = () =>
      runProjections({ log, store: this.readStore, projections: [verificationProjection], follow: false, strict: true })
    this.#folded = this.#folded.then(async () => void (await run()))
    return this.#folded
  }

  async all(): Promise<RecordedDecision[]> {
    const all: RecordedDecision[] = []
    for await (const { events } of this.store.readAll({ after: 0, countMax: 1_000, follow: false })) all.push(...events)
    return all
  }

  async post(url: string, payload: object | string, headers: Record<string, string> = {}) {
    const type = { 'content-type': 'application/json', ...headers }
    const answer = await this.app.inject({ method: 'POST', url, headers: type, payload })
    return { status: answer.statusCode, headers: answer.headers, text: answer.body, body: json(answer.body) }
  }

  async get(url: string, headers: Record<string, string> = {}) {
    const answer = await this.app.inject({ url, headers })
    return { status: answer.statusCode, headers: answer.headers, text: answer.body, body: json(answer.body) }
  }

  async end(): Promise<void> {
    this.ended.abort()
    await this.app?.close()
    for (const each of [this.contents, this.control, this.store, this.readStore, this.log]) await each.close()
  }
}

function json(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
