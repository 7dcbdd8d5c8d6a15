import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a test makes a registry say; undefined lets it go on as usual. */
export type Intervention = (request: {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
}) => { readonly status: number; readonly body: string } | undefined | 'silence'

export interface RegistryDouble {
  readonly url: string
  /** Requests so far, `POST /subjects/x`. */
  readonly requests: string[]
  /** Registered schema texts by subject. */
  readonly subjects: Map<string, string[]>
  close(): Promise<void>
}

/**
 * A registry that takes everything, below the path `/base`, for what a real one does not do on demand: refuse
 * credentials, fail, stay silent. Answers in the words of Confluent's, where the real one in the other tests has its own.
 */
export async function startRegistryDouble(intervene: Intervention = () => undefined): Promise<RegistryDouble> {
  const subjects = new Map<string, string[]>()
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const path = decodeURIComponent(url.replace(/^\/base/, '').replace(/\?.*$/, ''))
    requests.push(`${method} ${path}`)
    const text = await bodyOf(request)
    const said = intervene({ method, path, headers })
    if (said === 'silence') return
    const { status, body } = said ?? answer(subjects, method, path, text)
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/base`, requests, subjects, close: () => closeServer(server) }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function answer(subjects: Map<string, string[]>, method: string, path: string, text: string) {
  const [, group, name = ''] = path.split('/')
  const missing = { status: 404, body: '{"error_code":40401,"message":"Subject not found."}' }
  if (group === 'config') return method === 'PUT' ? { status: 200, body: text } : missing
  if (group === 'compatibility') {
    return subjects.has(path.split('/')[3] ?? '')
      ? { status: 200, body: '{"is_compatible":true,"messages":[]}' }
      : missing
  }
  const { schema } = JSON.parse(text) as { schema: string }
  const versions = subjects.get(name) ?? []
  if (!path.endsWith('/versions') && !versions.includes(schema)) return missing
  if (!versions.includes(schema)) subjects.set(name, [...versions, schema])
  const all = [...subjects.values()].flat()
  return { status: 200, body: JSON.stringify({ id: all.indexOf(schema) + 1 }) }
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
