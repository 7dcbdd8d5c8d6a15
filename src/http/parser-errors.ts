import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { dialectOf } from '#queries/common/dialects.ts'
import { errorBody } from '#queries/common/errors.ts'
import { jsonType } from '#src/http/errors.ts'

/** What the HTTP parser, or the server around it, finds wrong; everything else in a request that it cannot read is a 400. */
const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Headers of every answer, with the id of a request of which no more is known. */
type HeadersOf = (request: Pick<IncomingMessage, 'headers'>) => Readonly<Record<string, string>>

/** Answers what is no request that the server can read as all other errors are answered, and closes the connection. */
export function createParserErrorHandler(
  headersOf: HeadersOf,
): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    // The client is gone, or has half of an answer already.
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy()
      return
    }
    const status = statusOf[error.code ?? ''] ?? 400
    const body = bodyOf(status)
    const headers = { ...headersOf({ headers: {} }), ...lastHeaders(body) }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  }
}

/** Answers what a client expects of the server other than to go on. */
export function refuseExpectations(app: FastifyInstance, headersOf: HeadersOf): void {
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const body = bodyOf(417)
    response.writeHead(417, { ...headersOf(request), ...lastHeaders(body) }).end(body)
  })
}

/** Node keeps the answer that is being written with its socket, and does the same check itself where nobody handles the error. */
function isAnswering(socket: Socket & { readonly _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true
}

function bodyOf(status: number): string {
  return errorBody(dialectOf().errorMessages(status, []))
}

function lastHeaders(body: string): Record<string, string> {
  return { 'content-type': jsonType, 'content-length': String(Buffer.byteLength(body)), connection: 'close' }
}
