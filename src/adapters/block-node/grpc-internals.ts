import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import type { NetConnectOpts, Socket } from 'node:net'
import type { Channel, experimental } from '@grpc/grpc-js'
import type { Sockets } from '#src/adapters/block-node/sockets.ts'

type Filter = InstanceType<typeof experimental.BaseFilter>

/**
 * The parts of @grpc/grpc-js 1.14.7 that the client uses below its public interface, which has no way to another encoding, to
 * the end of an attempt at a connection, or to a bound for what a hostile server makes it keep (docs/decisions/0018). The
 * version is pinned in package.json; tests tell when one of them is another.
 */
interface Internals {
  readonly internalChannel: {
    readonly filterStackFactory: { factories: { createFilter(): Filter }[] }
    readonly subchannelPool: { getOrCreateSubchannel(...args: unknown[]): { readonly connector: Connector } }
  }
}

interface Connector {
  connect(...args: unknown[]): Promise<{ readonly session: ClientHttp2Session }>
  tcpConnect(address: NetConnectOpts): Promise<Socket>
}

/** Frames of a message may be small, but not all of them: each costs some hundred bytes of memory until the message is whole. */
const smallFramesMax = 10_000
const frameBytesMean = 256

/** Messages pass our filter instead of the library's. */
export function filterMessages(channel: Channel, createFilter: () => Filter): void {
  const { filterStackFactory } = internalsOf(channel)
  if (filterStackFactory.factories.length !== 1) throw new Error('@grpc/grpc-js has other filters than expected')
  filterStackFactory.factories = [{ createFilter }]
}

/** Connections use our sockets, and their sessions take only what was asked for. */
export function guardConnections(channel: Channel, sockets: Sockets): void {
  const pool = internalsOf(channel).subchannelPool
  const getOrCreate = pool.getOrCreateSubchannel.bind(pool)
  const guarded = new WeakSet<Connector>()
  pool.getOrCreateSubchannel = (...args) => {
    const subchannel = getOrCreate(...args)
    if (!guarded.has(subchannel.connector)) guardConnector(subchannel.connector, sockets)
    guarded.add(subchannel.connector)
    return subchannel
  }
}

function internalsOf(channel: Channel): Internals['internalChannel'] {
  return (channel as unknown as Internals).internalChannel
}

function guardConnector(connector: Connector, sockets: Sockets): void {
  const connect = connector.connect.bind(connector)
  connector.connect = async (...args) => {
    const attempt = sockets.attempt()
    connector.tcpConnect = attempt.open
    const transport = await connect(...args)
    attempt.done()
    guardSession(transport.session)
    return transport
  }
}

function guardSession(session: ClientHttp2Session): void {
  // The library listens to the first error only; another one would end the process.
  session.on('error', () => undefined)
  // Streams that a server pushes would be kept unread, and their errors would end the process, too.
  session.settings({ enablePush: false })
  const request = session.request.bind(session)
  session.request = (...args) => {
    const stream = request(...args)
    refuseCrumbs(stream)
    return stream
  }
}

/** The library keeps the frames of a message one by one until it is whole, and pauses the stream then. */
function refuseCrumbs(stream: ClientHttp2Stream): void {
  let frames = 0
  let bytes = 0
  stream.on('pause', () => {
    frames = 0
    bytes = 0
  })
  stream.on('data', (chunk: Buffer) => {
    frames++
    bytes += chunk.length
    if (frames <= smallFramesMax + bytes / frameBytesMean) return
    stream.destroy(new Error(`${crumbsText}: ${bytes} bytes in ${frames} frames`))
  })
}

/** What stands in the status of a call that was ended so. */
export const crumbsText = 'a message in crumbs'
