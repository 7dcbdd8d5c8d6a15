import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Kafka, logLevel } from 'kafkajs'
import { MongoClient } from 'mongodb'
import { afterEach, expect, it, vi } from 'vitest'
import { describeWithOwn, startFerretDb, startKafka, startMongoJava } from '#test/support/own-services.ts'
import { repositoryRoot } from '../../../scripts/services/folders.ts'
import { freePorts, isListening } from '../../../scripts/services/ports.ts'
import { isRunning, record } from '../../../scripts/services/state.ts'

const startsWithinMs = 240_000
const endsWithinMs = { timeout: 60_000, interval: 100 }
const toStop: { stop(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(toStop.splice(0).map((service) => service.stop()))
})

function stopAfterwards<Service extends { stop(): Promise<void> }>(service: Service): Service {
  toStop.push(service)
  return service
}

describeWithOwn(['kafka'], 'a local broker', () => {
  it('keeps address and topics over a kill', { timeout: startsWithinMs }, async () => {
    const kafka = stopAfterwards(await startKafka())
    const before = kafka.bootstrap
    await withAdmin(before, async (admin) => {
      await admin.createTopics({ topics: [{ topic: 'kept' }], waitForLeaders: true })
    })
    const [pid] = kafka.pids
    await kafka.kill()
    expect(kafka.pids).toEqual([])
    expect(await isListening(portOf(before))).toBe(false)
    await kafka.restart()
    expect(kafka.bootstrap).toBe(before)
    expect(kafka.pids).not.toEqual([pid])
    await withAdmin(before, async (admin) => expect(await admin.listTopics()).toContain('kept'))
  })

  it('lets nobody in without the password and the certificate', { timeout: startsWithinMs }, async () => {
    const sasl = { username: 'writer', password: 'right' }
    const kafka = stopAfterwards(await startKafka({ tls: true, sasl }))
    const ssl = { ca: [readFileSync(kafka.authorityFile ?? '', 'utf8')] }
    const clientWith = (password: string) =>
      adminOf(kafka.bootstrap, { ssl, sasl: { mechanism: 'scram-sha-256', username: 'writer', password } })
    const right = clientWith('right')
    await right.connect()
    expect(await right.listTopics()).toEqual([])
    await right.disconnect()
    await expect(clientWith('wrong').connect()).rejects.toThrow(/authentication failed/i)
    await expect(adminOf(kafka.bootstrap, { ssl: true }).connect()).rejects.toThrow(/certificate/)
  })
})

describeWithOwn(['ferretdb'], 'a local FerretDB', () => {
  it('keeps address and documents over a kill', { timeout: startsWithinMs }, async () => {
    const server = stopAfterwards(await startFerretDb())
    await withMongo(server.address, (client) => client.db('test').collection('kept').insertOne({ amount: 1n }))
    await server.kill()
    await server.restart()
    const count = await withMongo(server.address, (client) => client.db('test').collection('kept').countDocuments())
    expect(count).toBe(1)
  })
})

describeWithOwn(['mongo-java'], 'a local service', () => {
  it('says why it does not start, with the end of its own log', { timeout: startsWithinMs }, async () => {
    const [port = 0] = await freePorts(1)
    const taken = createServer().listen(port, '127.0.0.1')
    await once(taken, 'listening')
    const failed = startMongoJava({ backend: 'memory', port })
    await expect(failed).rejects.toThrow(
      /mongo-java-memory ended while starting; the end of .*\.log:\n.*cannot listen on port/s,
    )
    taken.close()
  })

  it('is known to run until it ends, and not mistaken for another process', { timeout: startsWithinMs }, async () => {
    const { address, pids, folder, logFile, kill } = stopAfterwards(await startMongoJava({ backend: 'memory' }))
    const recorded = record({ name: 'mongo-java', address, pids, folder, logFile })
    expect(isRunning(recorded)).toBe(true)
    expect(isRunning({ ...recorded, begun: ['Thu Jan 1 00:00:00 1970'] })).toBe(false)
    await kill()
    expect(isRunning(recorded)).toBe(false)
  })
})

describeWithOwn(['mongo-java'], 'npm run services', () => {
  it.each(['SIGKILL', 'SIGINT'] as const)(
    'listens where it is told to, and leaves nothing behind after %s',
    { timeout: startsWithinMs },
    async (signal) => {
      const [wanted = 0] = await freePorts(1)
      const { child, port } = await startInForeground(wanted)
      expect(port).toBe(wanted)
      expect(await isListening(port)).toBe(true)
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
      await vi.waitFor(async () => expect(await isListening(port)).toBe(false), endsWithinMs)
    },
  )

  it('refuses names that it does not know', { timeout: startsWithinMs }, async () => {
    const child = spawn(process.execPath, [...program, '--only', 'oracle'], { stdio: ['ignore', 'ignore', 'pipe'] })
    const [line] = (await once(createInterface(child.stderr), 'line')) as [string]
    expect(line).toContain('"oracle" is none of kafka, registry, mongo-java, mongo-java-h2, ferretdb, s3')
  })
})

const program = [join(repositoryRoot, 'scripts', 'services', 'main.ts')]

async function startInForeground(wanted: number): Promise<{ child: ChildProcess; port: number }> {
  expect(existsSync(program[0] ?? '')).toBe(true)
  const args = [...program, '--only', 'mongo-java', '--ports', `mongo-java=${wanted}`]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let port = 0
  for await (const line of createInterface(child.stdout)) {
    port = portOf(/^export LEDGER_TEST_MONGODB='mongo-java=(.*)'$/.exec(line)?.[1] ?? '') || port
    if (line.startsWith('They run until')) break
  }
  return { child, port }
}

function portOf(address: string): number {
  return Number(/:(\d+)\/?$/.exec(address)?.[1] ?? 0)
}

function adminOf(bootstrap: string, options: object) {
  const brokers = bootstrap.split(',')
  const patient = { connectionTimeout: 20_000, authenticationTimeout: 20_000, retry: { retries: 0 } }
  return new Kafka({ brokers, logLevel: logLevel.NOTHING, ...patient, ...options }).admin()
}

async function withAdmin(bootstrap: string, use: (admin: ReturnType<Kafka['admin']>) => Promise<void>): Promise<void> {
  const admin = adminOf(bootstrap, { retry: { retries: 8 } })
  await admin.connect()
  try {
    await use(admin)
  } finally {
    await admin.disconnect()
  }
}

async function withMongo<Result>(uri: string, use: (client: MongoClient) => Promise<Result>): Promise<Result> {
  const client = new MongoClient(uri, { directConnection: true })
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}
