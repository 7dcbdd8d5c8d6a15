import net from 'node:net'

/** One attempt at a connection: the socket is ours, so that it ends when we say so. */
export interface ConnectionAttempt {
  open(address: net.NetConnectOpts): Promise<net.Socket>
  /** The connection is in use: the time for the attempt no longer counts. */
  done(): void
}

/**
 * The sockets of one node. The library neither ends an attempt that is not answered nor a connection that the other side
 * keeps open; here each is known, and ends with its time or when the node is closed.
 */
export class Sockets {
  readonly #open = new Set<net.Socket>()
  readonly #connectTimeoutMs: number
  #closed = false

  constructor(connectTimeoutMs: number) {
    this.#connectTimeoutMs = connectTimeoutMs
  }

  attempt(): ConnectionAttempt {
    let timer: NodeJS.Timeout | undefined
    const done = () => clearTimeout(timer)
    const open = (address: net.NetConnectOpts) => {
      done()
      const socket = this.#connect(address)
      const late = new Error(`no connection within ${this.#connectTimeoutMs} ms`)
      timer = setTimeout(() => socket.destroy(late), this.#connectTimeoutMs)
      socket.once('close', done)
      return connected(socket)
    }
    return { open, done }
  }

  close(): void {
    this.#closed = true
    for (const socket of this.#open) socket.destroy(new Error('the node was closed'))
  }

  #connect(address: net.NetConnectOpts): net.Socket {
    if (this.#closed) throw new Error('the node was closed')
    // What was left open by a peer that does not close its side.
    for (const socket of this.#open) if (socket.writableEnded) socket.destroy()
    const socket = net.connect(address)
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    // Whoever uses it hears of the error, too; after its end nobody does.
    socket.on('error', () => undefined)
    return socket
  }
}

function connected(socket: net.Socket): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection was closed')))
  })
}
