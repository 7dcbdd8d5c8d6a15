/** Different requests per kind: more than the cache of answers holds, so that it does not flatter the figures. */
const variants = 5_000
const samplePages = 60

interface Listed {
  readonly transaction_id: string
  readonly transaction_hash: string
  readonly consensus_timestamp: string
  readonly transfers: readonly { readonly account: string }[]
}

export interface RequestKind {
  readonly name: string
  readonly paths: readonly string[]
}

/** What clients ask of any ledger, each kind in many variants over what it has. */
export async function requestKinds(address: string): Promise<RequestKind[]> {
  const listed = await sample(address)
  const at = (index: number): Listed => listed[index % listed.length] as Listed
  const systemAccounts = new Set(['0.0.98', '0.0.800', '0.0.801', '0.0.802'])
  const accounts = [...new Set(listed.flatMap(({ transfers }) => transfers.map(({ account }) => account)))].filter(
    (account) => !systemAccounts.has(account),
  )
  const account = (index: number): string => accounts[index % accounts.length] ?? ''
  const time = (index: number): string => at(index).consensus_timestamp
  return [
    { name: 'list of 25 (newest page)', paths: ['/api/v1/transactions'] },
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
    { name: 'contract logs', paths: each((index) => `/api/v1/contracts/results/logs?timestamp=lt:${time(index)}`) },
  ]
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
    listed.push(...(await page(`limit=100&timestamp=lte:${upper}`)))
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
