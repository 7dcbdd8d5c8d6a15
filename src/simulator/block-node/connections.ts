import { createServer, type Server, type Socket } from 'node:net'

/**
 * The connections of a simulated block node, which can be reset one by one, or be taken and never answered. A library's
 * own listener would hide them.
 */
export class Connections {
  readonly #server: Server
  readonly #open = new Set<Socket>()
  readonly #answer: (socket: Socket) => void
  #silent = false

  constructor(answer: (socket: Socket) => void) {
    this.#answer = answer
    this.#server = createServer((socket) => this.#take(socket))
  }

  get count(): number {
    return this.#open.size
  }

  /** Resolves with the port. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => {
        const address = this.#server.address()
        resolve(typeof address === 'object' && address ? address.port : port)
      })
    })
  }

  /** Resets the connection of a peer, given as `address:port`. */
  reset(peer: string): void {
    for (const socket of this.#open) if (peerOf(socket) === peer) socket.resetAndDestroy()
  }

  /** All connections are reset; while silent, new ones are taken and not answered. */
  set silent(silent: boolean) {
    if (silent === this.#silent) return
    this.#silent = silent
    this.#resetAll()
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#resetAll()
    })
  }

  #take(socket: Socket): void {
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    // A peer that goes is no trouble of the node.
    socket.on('error', () => undefined)
    if (!this.#silent) this.#answer(socket)
  }

  #resetAll(): void {
    for (const socket of this.#open) socket.resetAndDestroy()
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`
}
