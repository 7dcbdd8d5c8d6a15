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

/** What clients ask for, each kind in many variants over what the ledger has; kinds that it has nothing of are left out. */
export async function requestKinds(address: string): Promise<RequestKind[]> {
  const listed = await sample(address)
  const at = (index: number): Listed => listed[index % listed.length] as Listed
  const each = (path: (index: number) => string): string[] =>
    Array.from({ length: variants }, (_, index) => path(index))
  const systemAccounts = new Set(['0.0.98', '0.0.800', '0.0.801', '0.0.802'])
  const accounts = [...new Set(listed.flatMap(({ transfers }) => transfers.map(({ account }) => account)))].filter(
    (account) => !systemAccounts.has(account),
  )
  const [tokens, collections, topics, schedules, contracts] = await Promise.all([
    idsOf(address, '/api/v1/tokens?type=FUNGIBLE_COMMON&', 'tokens', 'token_id'),
    idsOf(address, '/api/v1/tokens?type=NON_FUNGIBLE_UNIQUE&', 'tokens', 'token_id'),
    idsOf(
      address,
      '/api/v1/transactions?transactiontype=CONSENSUSSUBMITMESSAGE&result=success&',
      'transactions',
      'entity_id',
    ),
    idsOf(address, '/api/v1/schedules?', 'schedules', 'schedule_id'),
    idsOf(address, '/api/v1/contracts?', 'contracts', 'contract_id'),
  ])
  const account = (index: number): string => accounts[index % accounts.length] ?? ''
  const time = (index: number): string => at(index).consensus_timestamp
  const among = (name: string, ids: readonly string[], path: (id: string, index: number) => string): RequestKind[] =>
    ids.length === 0 ? [] : [{ name, paths: each((index) => path(ids[index % ids.length] ?? '', index)) }]
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
    {
      name: 'nodes',
      paths: each((index) => `/api/v1/network/nodes?limit=25&node.id=gte:${index % 7}&variant=${index}`),
    },
    {
      // The standard mix has no hooks: this is the way to them, a page of them costs what a page of nodes does.
      name: 'hooks of an account',
      paths: each((index) => `/api/v1/accounts/${account(index)}/hooks?variant=${index}`),
    },
    { name: 'accounts', paths: each((index) => `/api/v1/accounts?account.id=gte:${account(index)}`) },
    { name: 'account', paths: each((index) => `/api/v1/accounts/${account(index)}`) },
    { name: 'balances', paths: each((index) => `/api/v1/balances?account.id=gte:${account(index)}`) },
    { name: 'balances (any instant)', paths: each((index) => `/api/v1/balances?timestamp=${time(index)}`) },
    {
      name: 'allowances of an account',
      paths: each((index) => `/api/v1/accounts/${account(index)}/allowances/crypto`),
    },
    { name: 'tokens of an account', paths: each((index) => `/api/v1/accounts/${account(index)}/tokens`) },
    ...among('tokens', tokens, (id) => `/api/v1/tokens?token.id=gte:${id}`),
    ...among('token', tokens, (id) => `/api/v1/tokens/${id}`),
    ...among('NFTs of a token', collections, (id, index) => `/api/v1/tokens/${id}/nfts?limit=${(index % 25) + 1}`),
    ...among('messages of a topic', topics, (id, index) => `/api/v1/topics/${id}/messages?timestamp=lt:${time(index)}`),
    ...among('schedules', schedules, (id) => `/api/v1/schedules?schedule.id=gte:${id}`),
    { name: 'contract results', paths: each((index) => `/api/v1/contracts/results?timestamp=lt:${time(index)}`) },
    { name: 'contract logs', paths: each((index) => `/api/v1/contracts/results/logs?timestamp=lt:${time(index)}`) },
    ...among(
      'logs of a contract',
      contracts,
      (id, index) => `/api/v1/contracts/${id}/results/logs?limit=${(index % 25) + 1}`,
    ),
  ]
}

/** The ids that a page of a list names. */
async function idsOf(address: string, path: string, list: string, id: string): Promise<string[]> {
  const body = (await (await fetch(`${address}${path}limit=100`)).json()) as Record<string, Record<string, string>[]>
  return [...new Set((body[list] ?? []).flatMap((row) => row[id] ?? []))]
}

/** Transactions spread over the ledger's time. */
async function sample(address: string): Promise<Listed[]> {
  const page = async (query: string): Promise<Listed[]> =>
    ((await (await fetch(`${address}/api/v1/transactions?${query}`)).json()) as { transactions: Listed[] }).transactions
  const first = Number((await page('order=asc&limit=1'))[0]?.consensus_timestamp)
  const last = Number((await page('limit=1'))[0]?.consensus_timestamp)
  const listed: Listed[] = []
  for (let part = 0; part < samplePages; part++) {
    const upper = (first + ((last - first) * (part + 1)) / samplePages).toFixed(9)
    listed.push(...(await page(`limit=100&timestamp=lte:${upper}`)))
  }
  return listed
}
