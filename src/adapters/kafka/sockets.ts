import net from 'node:net'
import tls from 'node:tls'

const keepAliveMs = 60_000

/** kafkajs takes what stands before the first colon for the host, so the colons of an IPv6 address travel in disguise. */
const colonOfHost = '|'

/** `host:port` as kafkajs can take it apart: also where the host is an IPv6 address in brackets. */
export function forKafkajs(broker: string): string {
  return broker.replace(/^\[(.*)\]/, (_, address: string) => address.replaceAll(':', colonOfHost))
}

interface SocketRequest {
  readonly host: string
  readonly port: number
  readonly ssl?: tls.ConnectionOptions
  readonly onConnect: () => void
}

/**
 * The sockets of one client. kafkajs only ever ends a socket after the answers that it waits for, and forgets one that does not
 * connect in time; here each is known, so that closing is at once and complete.
 */
export class Sockets {
  readonly #open = new Set<net.Socket>()
  #closed = false

  /** Handed to kafkajs, which calls it for each connection. */
  readonly connect = ({ host: given, port, ssl, onConnect }: SocketRequest): net.Socket => {
    if (this.#closed) throw new Error('the client was closed')
    const host = given.replaceAll(colonOfHost, ':')
    const socket = ssl
      ? tls.connect({ host, port, ...(net.isIP(host) ? {} : { servername: host }), ...ssl }, onConnect)
      : net.connect({ host, port }, onConnect)
    socket.setKeepAlive(true, keepAliveMs)
    socket.setNoDelay(true)
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    return socket
  }

  /** Requests in flight are rejected: kafkajs hears of a socket's end only by an error or the other side's end. */
  close(): void {
    this.#closed = true
    for (const socket of this.#open) socket.destroy(new Error('the client was closed'))
  }
}
