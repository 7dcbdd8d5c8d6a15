import http2, { type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import net, { type AddressInfo, type Socket } from 'node:net'

/** A server for what no library sends. */
export interface OwnServer {
  readonly port: number
  /** Connections that are open on this side. */
  connections(): number
  close(): Promise<void>
}

/** Answers over TCP what the test wants, protocol or not. */
export function serveTcp(answer: (socket: Socket) => void): Promise<OwnServer> {
  return listening(
    net.createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined)
      answer(socket)
    }),
  )
}

/** Answers calls over HTTP/2; gRPC is what the test makes of it. */
export function serveHttp2(
  answer: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void,
): Promise<OwnServer> {
  const server = http2.createServer()
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined)
    answer(stream, headers)
  })
  server.on('session', (session) => session.on('error', () => undefined))
  server.on('sessionError', () => undefined)
  return listening(server)
}

/** Begins an answer of gRPC; what is written to the stream are framed messages. */
export function beginAnswer(stream: ServerHttp2Stream, headers: Record<string, string> = {}): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...headers }, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
}

/** A message with its prefix. */
export function framed(message: Uint8Array, packed = false): Buffer {
  const prefix = Buffer.alloc(5)
  prefix.writeUInt8(packed ? 1 : 0, 0)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}

/** Writes the same bytes again and again, as fast as they are taken. */
export function flood(stream: ServerHttp2Stream | Socket, bytes: Buffer): void {
  const pump = () => {
    while (!stream.destroyed && stream.write(bytes)) {}
  }
  stream.on('drain', pump)
  pump()
}

function listening(server: net.Server | http2.Http2Server): Promise<OwnServer> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        connections: () => open.size,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            for (const socket of open) socket.destroy()
          }),
      }),
    )
  })
}
