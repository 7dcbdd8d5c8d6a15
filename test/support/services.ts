// Real services for tests. Environment variables come first:
//
//   LEDGER_TEST_KAFKA        host:port[,host:port] of brokers in plain text
//   LEDGER_TEST_REGISTRY     address of a Confluent-compatible API, with its path
//   LEDGER_TEST_MONGODB      name=uri[,name=uri]; the name says what it is: `mongodb` a real one, `ferretdb`, `mongo-java`,
//                            `mongo-java-h2`
//   LEDGER_TEST_S3_ENDPOINT  with LEDGER_TEST_S3_ACCESS_KEY and LEDGER_TEST_S3_SECRET_KEY
//   LEDGER_TEST_REQUIRE      list of kafka, registry, mongodb, s3: a run in which one of them is missing fails at once
//
// Then containers of a running Docker engine, which global-setup.ts starts and hands over as the same variables; then what
// `npm run services -- up` left running. Where there is none, tests are skipped and say why.
import { describe, it } from 'vitest'
import { type RunningService, testVariables } from '../../scripts/services/catalogue.ts'
import { readRunning } from '../../scripts/services/state.ts'

export interface FoundKafka {
  /** `host:port` of every broker. */
  readonly brokers: readonly string[]
}

export interface FoundRegistry {
  /** Address of the Confluent-compatible API, without a slash at its end. */
  readonly url: string
}

export interface FoundMongo {
  /** `mongodb`, `ferretdb`, `mongo-java` or `mongo-java-h2`. */
  readonly name: string
  readonly uri: string
  /** MongoDB's own server: `explain`, sharding and read concerns mean something there. */
  readonly isReal: boolean
  /** Whether acknowledged writes survive a kill of the server. */
  readonly durable: boolean
}

export interface FoundS3 {
  readonly endpoint: string
  readonly accessKey: string
  readonly secretKey: string
}

let local: Record<string, string> | undefined

function variable(name: string): string | undefined {
  const value = process.env[name]
  if (value) return value
  local ??= testVariables(readRunning() as readonly RunningService[])
  return local[name]
}

function listOf(name: string): string[] {
  return (variable(name) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

export function findKafka(): FoundKafka | undefined {
  const brokers = listOf('LEDGER_TEST_KAFKA')
  return brokers.length === 0 ? undefined : { brokers }
}

export function findRegistry(): FoundRegistry | undefined {
  const url = variable('LEDGER_TEST_REGISTRY')
  return url === undefined ? undefined : { url: url.replace(/\/+$/, '') }
}

/** Every server of the MongoDB protocol that can be had; tests of the adapter run on each. */
export function findMongoServers(): FoundMongo[] {
  return listOf('LEDGER_TEST_MONGODB').map((part) => {
    const [, name, uri] = /^([\w-]+)=(mongodb(?:\+srv)?:\/\/.+)$/.exec(part) ?? []
    if (name === undefined || uri === undefined) throw new Error(`LEDGER_TEST_MONGODB: "${part}" is not name=uri`)
    return { name, uri, isReal: name === 'mongodb', durable: !name.startsWith('mongo-java') }
  })
}

export function findRealMongo(): FoundMongo | undefined {
  return findMongoServers().find(({ isReal }) => isReal)
}

export function findS3(): FoundS3 | undefined {
  const endpoint = variable('LEDGER_TEST_S3_ENDPOINT')
  const accessKey = variable('LEDGER_TEST_S3_ACCESS_KEY') ?? ''
  const secretKey = variable('LEDGER_TEST_S3_SECRET_KEY') ?? ''
  return endpoint === undefined ? undefined : { endpoint, accessKey, secretKey }
}

/** Why nothing was found, with the next step. */
export function whyMissing(what: string, name: string): string {
  const docker = process.env['LEDGER_TEST_NO_DOCKER'] ?? 'Docker was not asked'
  return `no ${what}: ${name} is not set, ${docker}, and "npm run services -- up" has left none running`
}

/** Tests that need Kafka; skipped with the reason in their name where there is none. */
export function describeWithKafka(name: string, body: (kafka: FoundKafka) => void): void {
  describeWith(name, findKafka(), whyMissing('Kafka', 'LEDGER_TEST_KAFKA'), body)
}

export function describeWithRegistry(name: string, body: (registry: FoundRegistry) => void): void {
  describeWith(name, findRegistry(), whyMissing('schema registry', 'LEDGER_TEST_REGISTRY'), body)
}

/** Tests that run once for every server of the MongoDB protocol that `which` accepts. */
export function describeWithMongo(
  name: string,
  body: (mongo: FoundMongo) => void,
  which: (mongo: FoundMongo) => boolean = () => true,
): void {
  const servers = findMongoServers().filter(which)
  const reason = whyMissing('fitting server of the MongoDB protocol', 'LEDGER_TEST_MONGODB')
  if (servers.length === 0) describeWith(name, undefined, reason, body)
  for (const server of servers) describeWith(`${name} (${server.name})`, server, reason, body)
}

/** Tests that mean something only on MongoDB's own server. */
export function describeWithRealMongo(name: string, body: (mongo: FoundMongo) => void): void {
  describeWith(name, findRealMongo(), whyMissing('real MongoDB', 'LEDGER_TEST_MONGODB with mongodb=…'), body)
}

function describeWith<Service>(
  name: string,
  service: Service | undefined,
  reason: string,
  body: (service: Service) => void,
): void {
  if (service !== undefined) {
    describe(name, () => body(service))
    return
  }
  // The body needs a service to build its tests, so one placeholder stands for them.
  describe(`${name} (skipped: ${reason})`, () => it.skip('everything in it', () => {}))
}
