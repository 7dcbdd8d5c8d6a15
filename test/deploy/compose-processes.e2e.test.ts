import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Kafka, logLevel } from 'kafkajs'
import { MongoClient } from 'mongodb'
import { afterAll, expect, it, vi } from 'vitest'
import {
  describeWithKafka,
  describeWithMongo,
  describeWithRegistry,
  type FoundKafka,
  type FoundMongo,
  findMongoServers,
} from '#test/support/services.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { repositoryRoot } from '../../scripts/services/folders.ts'
import { freePorts } from '../../scripts/services/ports.ts'
import { type ComposeService, readCompose } from './files.ts'

const { services } = readCompose()
/** Commands and settings are the same whatever the store is. */
const [firstServer] = findMongoServers()
const isFirst = ({ name }: FoundMongo): boolean => name === firstServer?.name
const soon = { timeout: 90_000, interval: 500 }

describeWithKafka('the processes of docker-compose.yml, started with its commands and settings', (kafka) => {
  describeWithRegistry('on a registry', (registry) => {
    describeWithMongo(
      'and a store',
      (mongo) => {
        const running: ChildProcess[] = []
        const cleanups: (() => Promise<void>)[] = []

        afterAll(async () => {
          await Promise.all(running.map(end))
          for (const cleanup of cleanups) await cleanup()
        })

        it('import, project and answer on two ports, healthy by the checks of that file', {
          timeout: 180_000,
        }, async () => {
          const name = `compose-${process.pid}-${mongo.name}`
          cleanups.push(
            () => dropDatabase(mongo.uri, name),
            () => deleteTopics(kafka, name),
          )
          const streams = await temporaryFolder()
          const data = await temporaryFolder()
          cleanups.push(streams.remove, data.remove)
          const [port1 = 0, port2 = 0] = await freePorts(2)
          const here = (part: string, port: number) =>
            placedHere(service(part), streams.path, {
              LEDGER_KAFKA_BROKERS: kafka.brokers.join(','),
              LEDGER_KAFKA_TOPIC_PREFIX: name,
              LEDGER_MONGODB_URI: mongo.uri,
              LEDGER_MONGODB_DATABASE: name,
              LEDGER_REGISTRY_URL: registry.url,
              // Each container has a folder of its own.
              LEDGER_DATA: join(data.path, part),
              LEDGER_PORT: String(port),
            })

          for (const [part, port] of [
            ['network', 0],
            ['importer', 0],
            ['projector', 0],
            ['api-1', port1],
            ['api-2', port2],
          ] as const) {
            running.push(start(here(part, port)))
            await vi.waitFor(() => checkHealth(here(part, port), streams.path), soon)
          }
          for (const port of [port1, port2]) {
            await vi.waitFor(async () => expect(await countTransactions(port)).toBe(5), soon)
          }
          expect(running.map(({ exitCode }) => exitCode)).toEqual([null, null, null, null, null])
        })
      },
      isFirst,
    )
  })
})

interface Placed {
  readonly args: readonly string[]
  readonly healthcheck: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

function service(name: string): ComposeService {
  const found = services[name]
  if (!found) throw new Error(`docker-compose.yml has no service ${name}`)
  return found
}

/** The service with the addresses and folders of this machine in the place of those of the containers. */
function placedHere(
  { command = [], environment = {}, healthcheck }: ComposeService,
  streams: string,
  ours: Placed['env'],
): Placed {
  const settings = Object.entries(environment).map(([name, value]) => [
    name,
    String(value).replace(/\$\{\w+:-([^}]*)\}/, '$1'),
  ])
  const engines = environment['LEDGER_ENGINE_LOG'] === undefined ? {} : ours
  const env: Record<string, string> = { ...Object.fromEntries(settings), ...engines }
  if (env['LEDGER_SOURCE_LOCATION'] !== undefined) env['LEDGER_SOURCE_LOCATION'] = streams
  return {
    args: command.map((word) => word.replace('/streams', streams)),
    healthcheck: healthcheck?.test ?? [],
    env,
  }
}

function start({ args, env }: Placed): ChildProcess {
  const options = ['--disable-warning=ExperimentalWarning', join('src', 'cli', 'main.ts'), ...args]
  return spawn(process.execPath, options, {
    cwd: repositoryRoot,
    env: { ...environment(), ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

async function checkHealth({ healthcheck: [kind, ...words], env }: Placed, streams: string): Promise<void> {
  const here = words.map((word) =>
    word
      .replaceAll('$$', '$')
      .replaceAll('/streams', streams)
      .replaceAll('127.0.0.1:5551', `127.0.0.1:${env['LEDGER_PORT']}`),
  )
  const [program = '', ...args] = kind === 'CMD-SHELL' ? ['sh', '-c', ...here] : here
  await promisify(execFile)(program === 'node' ? process.execPath : program, args, {
    cwd: repositoryRoot,
    env: { ...environment(), ...env },
  })
}

/** The settings of the file are all that the processes get. */
function environment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LEDGER_')))
}

async function countTransactions(port: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/transactions?limit=5`)
  const { transactions } = (await response.json()) as { transactions?: unknown[] }
  return transactions?.length ?? 0
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await ended
  clearTimeout(timer)
}

async function deleteTopics({ brokers }: FoundKafka, prefix: string): Promise<void> {
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  const topics = await admin.listTopics()
  await admin.deleteTopics({ topics: topics.filter((topic) => topic.startsWith(`${prefix}.`)) })
  await admin.disconnect()
}

async function dropDatabase(uri: string, name: string): Promise<void> {
  const client = new MongoClient(uri)
  await client.db(name).dropDatabase()
  await client.close()
}
