/** Different requests per kind. */
const variants = 5_000
const samplePages = 60
const rowsOfPage = 100

interface Timed {
  readonly consensus_timestamp: string
}

interface Listed extends Timed {
  readonly transaction_id: string
  readonly transaction_hash: string
  readonly transfers: readonly { readonly account: string }[]
}

export interface RequestKind {
  readonly name: string
  readonly paths: readonly string[]
}

interface Result {
  readonly hash: string
  readonly timestamp: string
}

export interface Log {
  readonly contract_id: string
  readonly timestamp: string
  readonly topics: readonly string[]
}

const newestList = '/api/v1/transactions'
/** What clients ask most: where answers are kept, one of them. */
export const keptList: RequestKind = { name: 'list of 25 (newest page, kept)', paths: [newestList] }

/** What clients ask of any ledger, each kind in many variants over what it has. */
export async function requestKinds(address: string): Promise<RequestKind[]> {
  const listed = await sample(address)
  const results = await sampleBefore<Result>(address, listed, '/api/v1/contracts/results', 'results')
  const logs = await sampleBefore<Log>(address, listed, '/api/v1/contracts/results/logs', 'logs')
  const at = (index: number): Listed => listed[index % listed.length] as Listed
  const systemAccounts = new Set(['0.0.98', '0.0.800', '0.0.801', '0.0.802'])
  const accounts = [...new Set(listed.flatMap(({ transfers }) => transfers.map(({ account }) => account)))].filter(
    (account) => !systemAccounts.has(account),
  )
  const account = (index: number): string => accounts[index % accounts.length] ?? ''
  const time = (index: number): string => at(index).consensus_timestamp
  return [
    { name: 'list of 25 (newest page)', paths: [newestList] },
    {
      name: 'list of 25 (any page)',
      paths: each((index) => `/api/v1/transactions?timestamp=lt:${at(index).consensus_timestamp}`),
    },
    {
      name: 'by account',
      paths: each((index) => `/api/v1/transactions?account.id=${account(index)}`),
    },
    { name: 'by id', paths: each((index) => `/api/v1/transactions/${at(index).transaction_id}`) },
    {
      name: 'by hash',
      paths: each(
        (index) => `/api/v1/transactions/${Buffer.from(at(index).transaction_hash, 'base64').toString('hex')}`,
      ),
    },
    { name: 'blocks', paths: each((index) => `/api/v1/blocks?limit=${(index % 25) + 1}`) },
    { name: 'accounts', paths: each((index) => `/api/v1/accounts?account.id=gte:${account(index)}`) },
    { name: 'account', paths: each((index) => `/api/v1/accounts/${account(index)}`) },
    { name: 'balances', paths: each((index) => `/api/v1/balances?account.id=gte:${account(index)}`) },
    { name: 'balances (any instant)', paths: each((index) => `/api/v1/balances?timestamp=${time(index)}`) },
    { name: 'contract results', paths: each((index) => `/api/v1/contracts/results?timestamp=lt:${time(index)}`) },
    inTurn(
      'contract result by hash',
      results.map(({ hash }) => `/api/v1/contracts/results/${hash}`),
    ),
    { name: 'contract logs', paths: each((index) => `/api/v1/contracts/results/logs?timestamp=lt:${time(index)}`) },
    inTurn('logs by contract and topic', topicPaths(logs)),
  ].filter(({ paths }) => paths.length > 0)
}

/** Every path in turn. */
export function inTurn(name: string, paths: readonly string[]): RequestKind {
  return { name, paths: paths.length === 0 ? [] : each((index) => paths[index % paths.length] ?? '') }
}

const searchSeconds = 86_400

/** Logs like one that there is, within the day before it. */
export function topicPaths(logs: readonly Log[]): string[] {
  return logs.flatMap(({ contract_id: id, timestamp: upper, topics: [topic] }) => {
    const lower = `${Number(upper.split('.')[0]) - searchSeconds}.000000000`
    const range = `timestamp=gte:${lower}&timestamp=lte:${upper}`
    return topic === undefined ? [] : [`/api/v1/contracts/${id}/results/logs?topic0=${topic}&${range}`]
  })
}

/** Rows of a list before times that are spread over the ledger's. */
async function sampleBefore<T>(address: string, times: readonly Timed[], path: string, list: string): Promise<T[]> {
  const rows: T[] = []
  for (const { consensus_timestamp: upper } of times.filter((_, index) => index % rowsOfPage === 0))
    rows.push(...((await fetchPage(address, `${path}?limit=${rowsOfPage}&timestamp=lt:${upper}`))[list] as T[]))
  return rows
}

/** Transactions spread over the ledger's time. */
async function sample(address: string): Promise<Listed[]> {
  const page = async (query: string): Promise<Listed[]> =>
    (await fetchPage(address, `/api/v1/transactions?${query}`))['transactions'] as Listed[]
  const first = Number((await page('order=asc&limit=1'))[0]?.consensus_timestamp)
  const last = Number((await page('limit=1'))[0]?.consensus_timestamp)
  const listed: Listed[] = []
  for (let part = 0; part < samplePages; part++) {
    const upper = (first + ((last - first) * (part + 1)) / samplePages).toFixed(9)
    listed.push(...(await page(`limit=${rowsOfPage}&timestamp=lte:${upper}`)))
  }
  return listed
}

/** Paths in as many variants as a kind has. */
export function each(path: (index: number) => string): string[] {
  return Array.from({ length: variants }, (_, index) => path(index))
}

export async function fetchPage(address: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(address + path)
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Readonly<Record<string, unknown>>
}
