import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Nothing in an id may break a log line, a header or a comment in the store. */
const wellFormed = /^[\w.:+/=-]{1,128}$/

/** The id that a proxy or client gave a request, else a new one: unique across restarts and cheap to make. */
export function createRequestIds(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const prefix = randomBytes(4).toString('hex')
  let count = 0
  return ({ headers }) => {
    const given = headers['request-id'] ?? headers['x-request-id']
    if (typeof given === 'string' && wellFormed.test(given)) return given
    return `${prefix}-${(++count).toString(36)}`
  }
}
