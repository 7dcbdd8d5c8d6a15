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
  /** What was registered by subject, in the order of versions: `{ schema, references }` as text. */
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
  const versions = subjects.get(name) ?? []
  if (method === 'GET') return versions.length === 0 ? missing : { status: 200, body: versions.at(-1)! }
  const { schema, references } = JSON.parse(text) as { schema: string; references?: unknown }
  // The same words with other references are another version.
  const entry = JSON.stringify({ schema, references })
  if (!path.endsWith('/versions') && !versions.includes(entry)) return missing
  if (!versions.includes(entry)) subjects.set(name, [...versions, entry])
  const all = [...new Set([...subjects.values()].flat())]
  const version = (subjects.get(name) ?? []).indexOf(entry) + 1
  return { status: 200, body: JSON.stringify({ id: all.indexOf(entry) + 1, version }) }
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
