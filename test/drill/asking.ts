import { setTimeout as sleep } from 'node:timers/promises'
import { askOne } from '#test/drill/read-model/load.ts'

export interface Answer {
  readonly port: number
  readonly path: string
  /** 0 where the connection failed. */
  readonly status: number
  readonly body: string
  /** Milliseconds since the epoch. */
  readonly beganAt: number
  readonly endedAt: number
}

const pathsOfBlocks = ['/api/v1/blocks?limit=5', '/api/v1/transactions?limit=5', '/api/v1/blocks?order=asc&limit=1']
const thinkMs = 50

/** Asks each port again and again, one request at a time, until it is stopped. Nothing is asked twice. */
export function keepAsking(
  ports: readonly number[],
  paths: readonly string[] = pathsOfBlocks,
): { readonly answers: Answer[]; stop(): Promise<void> } {
  const answers: Answer[] = []
  let stopped = false
  const client = async (port: number): Promise<void> => {
    for (let turn = 0; !stopped; turn++) {
      answers.push(await ask(port, paths[turn % paths.length]!))
      await sleep(thinkMs)
    }
  }
  const running = Promise.all(ports.map(client))
  return {
    answers,
    async stop() {
      stopped = true
      await running
    },
  }
}

/** One answer, whatever it is. */
export async function ask(port: number, path: string): Promise<Answer> {
  const beganAt = Date.now()
  try {
    const { status, body, endedAt } = await askOne(port, path)
    return { port, path, status, body, beganAt, endedAt }
  } catch (error) {
    return { port, path, status: 0, body: String(error), beganAt, endedAt: Date.now() }
  }
}

/** Ready, and no read model that the requests need is being filled for the first time: readiness does not wait for those. */
export async function answersAll(port: number, paths: readonly string[] = pathsOfBlocks): Promise<boolean> {
  if (!(await isReady(port))) return false
  const answers = await Promise.all(paths.map((path) => ask(port, path)))
  return answers.every(({ status }) => status === 200)
}

export async function isReady(port: number): Promise<boolean> {
  return (await ask(port, '/health/readiness')).status === 200
}
