import { fetchPage, inTurn, type Log, type RequestKind, topicPaths } from '#test/bench/api-requests.ts'

/** Pages of a list that are looked through for ids. */
const listPages = 5
/** Of these, the ones with the fullest pages are asked. */
const fullestCount = 50

type Rows = readonly Readonly<Record<string, unknown>>[]

/** Pages of every resource, for a ledger of transactions of every kind. Of owners, those are asked that have the most. */
export async function pageKinds(address: string): Promise<RequestKind[]> {
  const all = (path: string, list: string): Promise<Rows> => readList(address, path, list)
  const idsOf = async (path: string, list: string, field: string): Promise<string[]> =>
    unique(await all(path, list), field)
  const accounts = await idsOf('/api/v1/accounts?balance=false', 'accounts', 'account')
  const contracts = await idsOf('/api/v1/contracts?', 'contracts', 'contract_id')
  const results = await all('/api/v1/contracts/results?', 'results')
  const logs = await readList<Log>(address, '/api/v1/contracts/results/logs?', 'logs')
  const schedules = await idsOf('/api/v1/schedules?', 'schedules', 'schedule_id')
  const tokens = await idsOf('/api/v1/tokens?', 'tokens', 'token_id')
  const fungible = await idsOf('/api/v1/tokens?type=FUNGIBLE_COMMON', 'tokens', 'token_id')
  const collections = await idsOf('/api/v1/tokens?type=NON_FUNGIBLE_UNIQUE', 'tokens', 'token_id')
  const messages = await all(
    '/api/v1/transactions?transactiontype=CONSENSUSSUBMITMESSAGE&result=success',
    'transactions',
  )
  const of = (name: string, paths: readonly string[]): Promise<RequestKind[]> => fullest(address, name, paths)
  const ofAccounts = (name: string, path: string): Promise<RequestKind[]> =>
    of(
      name,
      accounts.map((id) => `/api/v1/accounts/${id}/${path}`),
    )
  const [hooks = { name: '', paths: [] }] = await ofAccounts('hooks of an account', 'hooks')
  const hookIds = await Promise.all(
    hooks.paths.slice(0, fullestCount).map(async (path) => {
      const rows = (await fetchPage(address, path))['hooks'] as Rows
      return rows.map((row) => `${path}/${row['hook_id']}/storage`)
    }),
  )
  return [
    inTurn('nodes', ['/api/v1/network/nodes?limit=25']),
    inTurn('registered nodes', ['/api/v1/network/registered-nodes']),
    hooks,
    ...(await of('storage of a hook', hookIds.flat())),
    inTurn('contract results', before(results, 'timestamp', '/api/v1/contracts/results')),
    ...(await of(
      'results of a contract',
      contracts.map((id) => `/api/v1/contracts/${id}/results`),
    )),
    inTurn(
      'contract result by hash',
      unique(results, 'hash').map((hash) => `/api/v1/contracts/results/${hash}`),
    ),
    inTurn('contract logs', before(logs, 'timestamp', '/api/v1/contracts/results/logs')),
    inTurn('logs by contract and topic', topicPaths(logs)),
    inTurn('tokens', from(tokens, 'token.id', '/api/v1/tokens')),
    inTurn(
      'token',
      tokens.map((id) => `/api/v1/tokens/${id}`),
    ),
    ...(await of(
      'holders of a token',
      fungible.map((id) => `/api/v1/tokens/${id}/balances`),
    )),
    ...(await ofAccounts('tokens of an account', 'tokens')),
    ...(await of(
      'NFTs of a token',
      collections.map((id) => `/api/v1/tokens/${id}/nfts`),
    )),
    ...(await ofAccounts('NFTs of an account', 'nfts')),
    ...(await of(
      'messages of a topic',
      unique(messages, 'entity_id').map((id) => `/api/v1/topics/${id}/messages`),
    )),
    inTurn(
      'message',
      unique(messages, 'consensus_timestamp').map((time) => `/api/v1/topics/messages/${time}`),
    ),
    ...(await ofAccounts('hbar allowances', 'allowances/crypto')),
    ...(await ofAccounts('token allowances', 'allowances/tokens')),
    ...(await ofAccounts('NFT allowances', 'allowances/nfts')),
    ...(await ofAccounts('pending airdrops', 'airdrops/pending')),
    inTurn('schedules', from(schedules, 'schedule.id', '/api/v1/schedules')),
    inTurn(
      'schedule',
      schedules.map((id) => `/api/v1/schedules/${id}`),
    ),
  ].filter(({ paths }) => paths.length > 0)
}

/** The paths with the fullest pages. */
async function fullest(address: string, name: string, paths: readonly string[]): Promise<RequestKind[]> {
  const sizes: { readonly path: string; readonly rows: number }[] = []
  for (const path of paths) sizes.push({ path, rows: rowsOf(await fetchPage(address, path)) })
  sizes.sort((a, b) => b.rows - a.rows)
  const chosen = sizes.slice(0, fullestCount).filter(({ rows }) => rows > 0)
  return [
    inTurn(
      name,
      chosen.map(({ path }) => path),
    ),
  ]
}

/** Pages that end before the time of a row: all but the last ones are full. */
function before<T>(rows: readonly T[], field: keyof T, path: string): string[] {
  return unique(rows, field).map((time) => `${path}?timestamp=lt:${time}`)
}

/** Pages that begin at one of the ids, but for the last ones, which would not be full. */
function from(ids: readonly string[], parameter: string, path: string): string[] {
  const numbers = ids.map((id) => Number(id.split('.').at(-1))).sort((a, b) => a - b)
  return numbers.slice(0, -25).map((number) => `${path}?order=asc&${parameter}=gte:${number}`)
}

/** Several pages of a list. */
async function readList<T>(address: string, path: string, list: string): Promise<T[]> {
  const rows: T[] = []
  let next: string | null = `${path}&limit=100`
  for (let page = 0; page < listPages && next !== null; page++) {
    const body = await fetchPage(address, next)
    rows.push(...((body[list] ?? []) as T[]))
    next = (body['links'] as { readonly next: string | null }).next
  }
  return rows
}

function unique<T>(rows: readonly T[], field: keyof T): string[] {
  return [...new Set(rows.flatMap((row) => (row[field] == null ? [] : String(row[field]))))]
}

/** Rows of the longest list that an answer has. */
export function rowsOf(body: Readonly<Record<string, unknown>>): number {
  return Math.max(0, ...Object.values(body).map((value) => (Array.isArray(value) ? value.length : 0)))
}
