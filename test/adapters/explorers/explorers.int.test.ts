import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type ExplorerSettings, openExplorers } from '#src/adapters/explorers/explorers.ts'
import type { Resolve } from '#src/adapters/explorers/fetch-answer.ts'
import { isPublicAddress } from '#src/adapters/explorers/public-address.ts'
import { isVerificationProblem } from '#src/domain/verification/problem.ts'
import type { ExplorerRequest } from '#src/ports/source-explorer.ts'

const address = '00000000000000000000000000000000000004d2'
const verified = JSON.stringify({
  status: '1',
  message: 'OK',
  result: [
    {
      ContractName: 'Counter',
      CompilerVersion: 'v0.8.30+commit.73712a01',
      OptimizationUsed: '1',
      Runs: '200',
      EVMVersion: 'Default',
      SourceCode: 'contract Counter {}',
    },
  ],
})
const notVerified = '{"status":"0","message":"NOTOK","result":"Contract source code not verified"}'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

interface TestServer {
  readonly url: string
  readonly port: number
  readonly asked: string[]
}

async function serve(answer: RequestListener): Promise<TestServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, asked }
}

const says =
  (body: string, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)

function ask(explorers: readonly Partial<ExplorerSettings>[], request: Partial<ExplorerRequest> = {}, more = {}) {
  const settings = explorers.map((each) => {
    return { chain: '298', type: 'blockscout', url: '', local: true, ...each } as ExplorerSettings
  })
  const options = { explorers: settings, timeoutMs: 400, bytesMax: 100_000, ...more }
  return openExplorers(options).find({ chain: '298', address, ...request })
}

async function problemOf(asked: Promise<unknown>): Promise<[string, string]> {
  const error = await asked.catch((reason: unknown) => reason)
  if (!isVerificationProblem(error)) throw new Error(`It is no problem: ${String(error)}`)
  return [error.code, error.message]
}

it('asks each kind of explorer in its own way', async () => {
  const { url, asked } = await serve(says(verified))
  for (const type of ['etherscan-v2', 'etherscan-v1', 'blockscout'] as const) {
    const { published, explorer } = await ask([{ type, url: `${url}/explorer/`, apiKey: 'k' }])
    expect([explorer, published.target]).toEqual([
      `${type} at ${new URL(url).host}`,
      { path: 'Counter.sol', name: 'Counter' },
    ])
  }
  const query = `module=contract&action=getsourcecode&address=0x${address}&apikey=k`
  expect(asked).toEqual([`/explorer/v2/api?chainid=298&${query}`, `/explorer/api?${query}`, `/explorer/api?${query}`])
})

it('asks in order until one has it, and tells what kept the others from it rather than that they have nothing', async () => {
  const [empty, away, has] = [await serve(says(notVerified)), await serve(says('', 503)), await serve(says(verified))]
  const found = await ask([empty, away, has])
  expect(found.explorer).toContain(String(has.port))
  expect([empty.asked.length, away.asked.length]).toEqual([1, 1])
  expect((await problemOf(ask([empty, away])))[0]).toBe('explorer_http_error')
  expect((await problemOf(ask([empty, empty])))[0]).toBe('explorer_not_verified')
  expect((await problemOf(ask([], { chain: '298' })))[0]).toBe('explorer_not_configured')
})

it('shows keys to nobody, also where an explorer repeats them, and gives those of callers to no local one', async () => {
  const echo: RequestListener = (request, response) => {
    const key = new URL(request.url ?? '', 'http://x').searchParams.get('apikey')
    response.end(JSON.stringify({ status: '0', message: 'NOTOK', result: `Invalid API Key ${key}` }))
  }
  const { url, asked } = await serve(echo)
  const [code, message] = await problemOf(ask([{ url, apiKey: 'configured-secret' }], { apiKey: 'callers-secret' }))
  expect([code, message]).toEqual([
    'explorer_api_error',
    'Error in explorer API response. Result message: Invalid API Key XXX',
  ])
  expect(asked[0]).toContain('configured-secret')
  const gone = await problemOf(ask([{ url: 'http://127.0.0.1:9', apiKey: 'configured-secret' }]))
  expect(gone).toEqual([
    'explorer_network_error',
    'Request to the explorer blockscout at 127.0.0.1:9 failed with code ECONNREFUSED',
  ])
})

it('ends what never ends, and what drips', { timeout: 10_000 }, async () => {
  const silent = await serve(() => undefined)
  const dripping = await serve((_request, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  })
  for (const server of [silent, dripping]) {
    const started = performance.now()
    expect((await problemOf(ask([server])))[1]).toContain('failed with code ETIMEDOUT')
    expect(performance.now() - started).toBeLessThan(4_000)
  }
})

it('reads no more than it may, whatever the answer says of its length', async () => {
  let written = 0
  const flooding = await serve((_request, response) => {
    const flood = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384, 0x20))) written += 16_384
    }
    response.on('drain', flood)
    flood()
  })
  expect((await problemOf(ask([flooding])))[1]).toContain('larger than 100000 bytes')
  expect(written).toBeLessThan(20_000_000)
  const announced = await serve((_request, response) => response.writeHead(200, { 'content-length': 1e9 }).write(' '))
  expect((await problemOf(ask([announced])))[1]).toContain('larger than 100000 bytes')
  const packed = await serve((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'))
  expect((await problemOf(ask([packed])))[1]).toContain('compressed')
})

it('follows no redirect', async () => {
  const inner = await serve(says(verified))
  const redirecting = await serve((_request, response) => response.writeHead(302, { location: inner.url }).end())
  expect(await problemOf(ask([redirecting]))).toEqual([
    'explorer_http_error',
    `The explorer blockscout at 127.0.0.1:${redirecting.port} answered with status 302`,
  ])
  expect(inner.asked).toEqual([])
})

it('asks nobody at a private address unless he is local, whatever name he has and whatever it says later', async () => {
  const inner = await serve(says(verified))
  const url = `https://explorer.example:${inner.port}`
  const answers = [
    [{ address: '127.0.0.1', family: 4 }],
    [
      { address: '8.8.8.8', family: 4 },
      { address: '10.1.2.3', family: 4 },
    ],
  ]
  for (const found of answers) {
    const [, message] = await problemOf(ask([{ url, local: false }], {}, { resolve: async () => found }))
    expect(message).toContain('is not a public one')
  }
  for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254', '2130706433'])
    expect((await problemOf(ask([{ url: `https://${host}:${inner.port}`, local: false }])))[1]).toContain(
      'not a public one',
    )
  expect((await problemOf(ask([{ url: inner.url, local: false }])))[1]).toContain('not at an https address')
  expect(inner.asked).toEqual([])
})

it('connects to the address that it looked at, without asking for the name again', async () => {
  const inner = await serve(says(verified))
  let lookups = 0
  const resolve: Resolve = async () => [{ address: lookups++ === 0 ? '127.0.0.1' : '10.9.9.9', family: 4 }]
  const { published } = await ask([{ url: `http://explorer.example:${inner.port}` }], {}, { resolve })
  expect([published.target.name, lookups, inner.asked.length]).toEqual(['Counter', 1, 1])
})

it('tells public addresses from all others', () => {
  const open = ['8.8.8.8', '2606:4700::1111', '172.32.0.1']
  const closed = [
    '10.0.0.1',
    '172.16.5.4',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    'fe80::1',
    'fd00::1',
    '2002:7f00:1::',
    '64:ff9b::7f00:1',
    '::ffff:8.8.8.8',
    '2001:db8::1',
  ]
  expect(open.filter(isPublicAddress)).toEqual(open)
  expect(closed.filter(isPublicAddress)).toEqual([])
})
