import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const entry = fileURLToPath(new URL('./served-node.ts', import.meta.url))

/** Block nodes in processes of their own, one of which is killed and started again now and then. */
export class KilledNodes {
  readonly ports: readonly number[]
  readonly #start: (port: number) => Promise<ChildProcess>
  readonly #nodes = new Map<number, ChildProcess>()
  readonly #stop = new AbortController()
  #killing: Promise<void> | undefined
  kills = 0

  private constructor(ports: readonly number[], start: (port: number) => Promise<ChildProcess>) {
    this.ports = ports
    this.#start = start
  }

  /** So many nodes with the blocks of a simulated network's folder. */
  static async start(count: number, folder: string, network: string): Promise<KilledNodes> {
    const ports = await Promise.all(Array.from({ length: count }, freePort))
    const nodes = new KilledNodes(ports, (port) => startNode(folder, network, port))
    for (const port of ports) nodes.#nodes.set(port, await nodes.#start(port))
    return nodes
  }

  /** From now on one after the other is killed, after up to so many milliseconds each, and comes back. */
  killFor(pauseMsMax: number, random: () => number): void {
    const { signal } = this.#stop
    const kill = async () => {
      while (!signal.aborted) {
        await delay(random() * pauseMsMax, undefined, { signal }).catch(() => undefined)
        const port = this.ports[Math.floor(random() * this.ports.length)] as number
        if (signal.aborted) return
        await end(this.#nodes.get(port) as ChildProcess)
        this.kills++
        this.#nodes.set(port, await this.#start(port))
      }
    }
    this.#killing = kill()
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#killing
    await Promise.all([...this.#nodes.values()].map(end))
  }
}

async function startNode(folder: string, network: string, port: number): Promise<ChildProcess> {
  const args = ['--disable-warning=ExperimentalWarning', entry, folder, network, String(port)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('a port has a number')
  return address.port
}
