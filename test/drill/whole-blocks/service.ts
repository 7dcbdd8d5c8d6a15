import { existsSync, readdirSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Program, run } from '#test/cli/support.ts'
import { until } from '#test/drill/live.ts'
import { drillNetwork } from '#test/drill/place.ts'
import { freePorts } from '../../../scripts/services/ports.ts'

export interface ServiceOptions {
  /** An empty folder. */
  readonly folder: string
  readonly threads: number
  readonly transactionsPerSecond: number
  readonly blockSeconds: number
}

export interface Answer {
  /** 0 where the connection failed: nobody listens, or no more. */
  readonly status: number
  readonly body: string
  /** What it is as of (ns), as its header says. */
  readonly time: bigint
}

interface Readiness {
  readonly filling: readonly string[]
  readonly leftOut: readonly string[]
  readonly asOf: string | null
}

type Member = 'network' | 'import' | 'project' | 'serve'

const requestTimeoutMs = 30_000

/** A network in step with the clock, and the processes that follow it, each of its own, so that each can be killed. */
export class Service {
  readonly network: string
  readonly #options: ServiceOptions
  readonly #running = new Map<Member, Program>()
  readonly #agent: Agent
  #port = 0

  private constructor(options: ServiceOptions, connections: number) {
    this.#options = options
    this.network = join(options.folder, 'network')
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  /** Resolves when it answers. It ends with the test. */
  static async begin(options: ServiceOptions, connections: number): Promise<Service> {
    const service = new Service(options, connections)
    onTestFinished(() => service.close())
    ;[service.#port = 0] = await freePorts(1)
    service.start('network')
    await until('the network begins', () => existsSync(join(service.network, 'address-book.bin')))
    service.start('import')
    await until('the import begins', () => existsSync(join(options.folder, 'data', 'ledger-data.json')))
    service.start('project')
    service.start('serve')
    await service.untilReady()
    return service
  }

  start(member: Member): void {
    this.#running.set(member, new Program(this.#argumentsOf(member), { cwd: this.#options.folder }))
  }

  /** As a power failure would. */
  async kill(member: Member): Promise<void> {
    await this.#running.get(member)?.stop('SIGKILL')
    this.#running.delete(member)
  }

  /** Rejects where the command fails. */
  async verb(...args: readonly string[]): Promise<void> {
    const { code, out, err } = await run([...args, ...this.#data], { cwd: this.#options.folder })
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}\n${out}${err}`)
  }

  /** Ready, with no read model that is filled, or behind the others. */
  untilReady(): Promise<void> {
    let said = ''
    const isReady = async (): Promise<boolean> => {
      const { status, body } = await this.ask('/health/readiness', '')
      said = body
      if (status !== 200) return false
      const { filling, leftOut, asOf } = JSON.parse(body) as Readiness
      return filling.length + leftOut.length === 0 && asOf !== null
    }
    const known = () => `\n${[said, ...this.ended()].join('\n')}`
    return until('the service answers, with all read models together', isReady, undefined, known)
  }

  ask(path: string, prefix = '/api/v1'): Promise<Answer> {
    return new Promise((resolve) => {
      const failed = (error: Error) => resolve({ status: 0, body: error.message, time: 0n })
      const options = { host: '127.0.0.1', port: this.#port, path: prefix + path, agent: this.#agent }
      const asked = request({ ...options, timeout: requestTimeoutMs }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', failed)
        response.on('end', () => {
          const time = timeOf(String(response.headers['ledger-consensus-timestamp'] ?? '0.0'))
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8'), time })
        })
      })
      asked.on('error', failed)
      asked.on('timeout', () => asked.destroy(new Error(`no answer of ${path} within ${requestTimeoutMs} ms`)))
      asked.end()
    })
  }

  /** Milliseconds since the epoch at which the last node's signature of a block's record file was complete. */
  signedAt(recordFile: string): number {
    const streams = join(this.network, 'recordstreams')
    const signature = recordFile.replace(/\.rcd\.gz$/, '.rcd_sig')
    return Math.max(...readdirSync(streams).map((node) => statSync(join(streams, node, signature)).mtimeMs))
  }

  /** Of those that nobody killed: who ended by itself, with its last words. */
  ended(): string[] {
    return [...this.#running]
      .filter(([, { child }]) => (child.exitCode ?? child.signalCode) !== null)
      .map(([member, { child, err }]) => `${member} ended with ${child.exitCode}: ${err.slice(-2_000)}`)
  }

  async close(): Promise<void> {
    this.#agent.destroy()
    await Promise.all([...this.#running.keys()].map((member) => this.kill(member)))
  }

  get #data(): string[] {
    return ['--data', join(this.#options.folder, 'data'), '--network', drillNetwork, '--log-format', 'json']
  }

  #argumentsOf(member: Member): string[] {
    const { threads, transactionsPerSecond, blockSeconds } = this.#options
    const pace = ['--transactions-per-second', transactionsPerSecond, '--block-seconds', blockSeconds]
    const verbs: Record<Member, readonly (string | number)[]> = {
      // Of one node, so that its signature is the last one that the importer waits for.
      network: ['network', 'simulate', '--paced', '--out', this.network, '--nodes', 1, '--accounts', 150, ...pace],
      import: ['import', 'run', '--source', this.network, ...this.#data],
      project: ['project', ...this.#data],
      serve: ['serve', '--port', this.#port, '--api-threads', threads, ...this.#data],
    }
    return verbs[member].map(String)
  }
}

/** Of `seconds.nanos` with nine digits behind the point. */
export function timeOf(text: string): bigint {
  return BigInt(text.replace('.', ''))
}
