import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Asked {
  /** Port of the process that answered. */
  readonly port: number
  readonly path: string
  readonly status: number
  /** Version of the read model that the entity tag names first. */
  readonly version: string | undefined
  /** Milliseconds since the epoch. */
  readonly beganAt: number
  readonly endedAt: number
  /** The newest consensus time that the answer reflects: `seconds.nanos`. */
  readonly time: string | undefined
  /** Seconds between that and its end. */
  readonly ageSeconds: number
  readonly body: string
}

/** What stands between clients and query processes: takes one of those in rotation, the next one when it is not there. */
export class Balancer {
  readonly #inRotation: Set<number>
  readonly #inFlight = new Map<number, number>()
  #turn = 0
  /** A time that each answer waits for: of what clients know already, since each process has an instant of its own. */
  known: string | undefined
  /** Requests that went to another process because the first one refused the connection. */
  retried = 0

  constructor(ports: readonly number[]) {
    this.#inRotation = new Set(ports)
  }

  add(port: number): void {
    this.#inRotation.add(port)
  }

  /** No request begins there any more; resolves when the last one has ended. */
  async drain(port: number): Promise<void> {
    this.#inRotation.delete(port)
    while ((this.#inFlight.get(port) ?? 0) > 0) await sleep(thinkMs)
  }

  async ask(path: string): Promise<Asked> {
    for (let attempt = 0; ; attempt++) {
      const ports = [...this.#inRotation]
      const port = ports[this.#turn++ % ports.length]
      if (port === undefined) throw new Error('no query process is in rotation')
      this.#inFlight.set(port, (this.#inFlight.get(port) ?? 0) + 1)
      try {
        return await askOne(port, path, this.known)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED' || attempt >= ports.length) throw error
        this.retried += 1
      } finally {
        this.#inFlight.set(port, this.#inFlight.get(port)! - 1)
      }
    }
  }
}

/** `reflecting`: a time that the answer waits for. */
export function askOne(port: number, path: string, reflecting?: string): Promise<Asked> {
  const beganAt = Date.now()
  const headers = reflecting === undefined ? {} : { 'ledger-wait-for': reflecting }
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers, agent: false, timeout: 15_000 }, (response) => {
      let body = ''
      response.on('data', (chunk) => (body += chunk))
      response.on('error', reject)
      response.on('end', () => {
        const endedAt = Date.now()
        const { etag = '', 'ledger-consensus-timestamp': fresh } = response.headers
        const [, version] = /^W\/"(\d+)\./.exec(etag) ?? []
        const time = typeof fresh === 'string' ? fresh : undefined
        const ageSeconds = endedAt / 1_000 - Number(fresh)
        const status = response.statusCode ?? 0
        resolve({ port, path, status, version, beganAt, endedAt, time, ageSeconds, body })
      })
    })
    asked.on('error', reject)
    asked.on('timeout', () => asked.destroy(new Error(`${path} was not answered in time`)))
    asked.end()
  })
}

export interface LoadReport {
  readonly answers: readonly Asked[]
  readonly failures: readonly string[]
}

/** Between two requests of a client: the processes under test run on the same few cores. */
const thinkMs = 15

/** Asks again and again, several requests in flight, until it is stopped. `next` names what to ask. */
export function startLoad(balancer: Balancer, next: () => string, clients: number): { stop(): Promise<LoadReport> } {
  const answers: Asked[] = []
  const failures: string[] = []
  let stopped = false
  const client = async (): Promise<void> => {
    while (!stopped) {
      const path = next()
      try {
        const answer = await balancer.ask(path)
        if (answer.status !== 200)
          failures.push(
            `${path} of :${answer.port} ${new Date(answer.beganAt).toISOString()}, ${answer.endedAt - answer.beganAt} ms: ${answer.status} ${answer.body}`,
          )
        answers.push({ ...answer, body: '' })
      } catch (error) {
        failures.push(`${path}: ${(error as Error).message}`)
      }
      await sleep(thinkMs)
    }
  }
  const running = Promise.all(Array.from({ length: clients }, client))
  return {
    async stop() {
      stopped = true
      await running
      return { answers, failures }
    },
  }
}
