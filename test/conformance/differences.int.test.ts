import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { type CaseFile, type CaseRequest, readCaseFile } from '#test/conformance/case-file.ts'
import { runCase } from '#test/conformance/run-case.ts'

// What no recorded answer tells: the request's rules are those of the established service, its rows are recorded ones.

const root = fileURLToPath(new URL('../../../shared/conformance/', import.meta.url))
const isHere = existsSync(root)
if (!isHere) console.warn(`skipped: recorded rows are not at ${root}`)

type Asked = Pick<CaseRequest, 'url' | 'status'> & Partial<CaseRequest>

/** Asks the requests of the rows of a case; each with what is wrong about its answer. */
async function ask(name: string, requests: readonly Asked[], config: CaseFile['config'] = {}): Promise<string[]> {
  const file = readCaseFile(`${root}${name}.json`)
  const asked = requests.map((request) => ({ method: 'GET', ...request, url: `/api/v1${request.url}` }))
  const { outcomes } = await runCase({ ...file, config, requests: asked } as CaseFile)
  return outcomes.flatMap(({ request, differences }) => differences.map((each) => `${request.url}: ${each}`))
}

const wanted = '?'

/** What answers say in the places where a body of a request has the text `?`, as JSON; other members are passed over. */
async function said(file: CaseFile, requests: readonly { readonly url: string; readonly body: object }[]) {
  const asked = requests.map(({ url, body }) => ({ method: 'GET', url: `/api/v1${url}`, status: 200, body }))
  const { outcomes } = await runCase({ ...file, requests: asked } as unknown as CaseFile)
  return outcomes.map(({ differences }) =>
    differences.flatMap((each) => / expected "\?", got (.*)$/.exec(each)?.[1] ?? []).map((text) => JSON.parse(text)),
  )
}

const refused = (...messages: string[]) => ({
  status: 400,
  body: { _status: { messages: messages.map((message) => ({ message })) } },
})
const nothing = (message = 'Not found') => ({ status: 404, body: { _status: { messages: [{ message }] } } })
const empty = (name: string) => ({ status: 200, body: { [name]: [], links: { next: null } } })
const nobody = '0xABCDEF00000000000000000000000000000007d1'
const logs = '/contracts/2001/results/logs'
const time = '1770717787.036657461'
const topics = 'Cannot search topics without a valid timestamp range: '

it.skipIf(!isHere)(
  'takes strict bounds of one time in the logs of a contract for no time (skipped without ../shared)',
  async () => {
    const requests = [
      'timestamp=gt:T&timestamp=lte:T',
      'timestamp=lt:T&timestamp=gte:T',
      'timestamp=gt:T&timestamp=lt:T',
    ]
    const wrong = await ask('cases/synthetic/ledger-c', [
      ...requests.map((query) => ({ url: `${logs}?${query.replaceAll('T', time)}`, ...empty('logs') })),
      ...requests.map((query) => ({
        url: `${logs}?topic0=01&${query.replaceAll('T', time)}`,
        ...refused(`${topics}Timestamp range by the lower and upper bounds must be positive and within 7d`),
      })),
    ])
    expect(wrong).toEqual([])
  },
)

it.skipIf(!isHere)(
  'walks the logs of one time by their number, and keeps its bounds in their order (skipped without ../shared)',
  async () => {
    const file = readCaseFile(`${root}cases/synthetic/ledger-c.json`)
    const asked = [
      [`timestamp=lte:${time}&timestamp=gte:${time}&limit=1`, '&index=lt:3'],
      [`timestamp=gte:${time}&timestamp=lte:${time}&limit=1`, '&index=lt:3'],
      [`timestamp=${time}&limit=1`, '&index=lt:3'],
      [`timestamp=${time}&index=1&limit=1`, undefined],
      [`timestamp=lte:${time}&timestamp=gte:${time}&index=1&limit=1`, undefined],
    ] as const
    const requests = asked.map(([query]) => ({ method: 'GET', url: `/api/v1${logs}?${query}`, status: 200, body: {} }))
    const { outcomes } = await runCase({ ...file, requests } as unknown as CaseFile)
    const links = outcomes.map(({ differences }) => differences.find((each) => each.includes('links:')))
    expect(links).toEqual(
      asked.map(([query, position]) => {
        const next = position === undefined ? null : `/api/v1${logs}?${query}${position}`
        return `body.links: unexpected, got ${JSON.stringify({ next })}`
      }),
    )
  },
)

it.skipIf(!isHere)(
  'refuses block numbers below 0 and senders with shard and realm (skipped without ../shared)',
  async () => {
    const wrong = await ask('cases/synthetic/ledger-c', [
      { url: '/contracts/results?block.number=-1', ...refused('Invalid parameter: block.number') },
      { url: '/contracts/2001/results?block.number=-1', ...refused('Invalid parameter: block.number') },
      { url: '/blocks?block.number=-1', ...refused('Invalid parameter: block.number') },
      { url: `/contracts/results?from=0.0.${nobody.slice(2)}`, ...refused('Invalid parameter: from') },
      { url: `/contracts/results?from=0.${nobody.slice(2)}`, ...refused('Invalid parameter: from') },
    ])
    expect(wrong).toEqual([])
  },
)

it.skipIf(!isHere)('takes 0x before a token or schedule number for nothing (skipped without ../shared)', async () => {
  const balances = { timestamp: null, balances: [], links: { next: null } }
  const wrong = await ask('cases/synthetic/ledger-c', [
    { url: '/tokens/0x123', ...nothing() },
    { url: '/schedules/0x123', ...nothing() },
    { url: '/tokens/0x123/balances', status: 200, body: balances },
    { url: '/tokens/0x123/nfts', ...empty('nfts') },
    { url: '/tokens/0xabc', ...refused('Invalid parameter: tokenid') },
    { url: '/schedules/0xabc', ...refused('Invalid parameter: scheduleid') },
  ])
  expect(wrong).toEqual([])
})

it.skipIf(!isHere)(
  'tells of a wrong request in the order and the words of the established service (skipped without ../shared)',
  async () => {
    const unknown = `No contract with the given evm address ${nobody} has been found.`
    const hash = `0x${'d5'.repeat(32)}`
    const known = '0xd5d4c0311790746c2c608658d4c2418bc5d9488433f545144cc2139da80b705e'
    const times = 'timestamp=1&timestamp=2&timestamp=3'
    const wrong = await ask('cases/synthetic/ledger-c', [
      { url: `/contracts?contract.id=${nobody.slice(2)}`, ...nothing(unknown) },
      { url: '/topics/-1/messages/-1', ...refused('Invalid parameter: sequencenumber') },
      { url: '/topics/-1/messages/1', ...refused('Invalid entity ID "0.0.-1"') },
      { url: `/contracts/results/${hash}/actions?index=99999999999`, ...nothing() },
      { url: `/contracts/results/${hash}/actions?index=-1`, ...refused('Invalid parameter: index') },
      { url: `/contracts/results/${known}/actions?index=99999999999`, ...refused('Invalid parameter: index') },
      { url: `/accounts/${nobody}/nfts?token.id=1&token.id=2`, ...nothing() },
      { url: `/accounts/${nobody}/rewards?timestamp=gt:1&timestamp=gt:2`, ...nothing() },
      {
        url: `/accounts/2/hooks/1/storage?${times}`,
        status: 400,
        body: {
          _status: { messages: [{ message: 'Bad Request', detail: 'timestamps size must be between 0 and 2' }] },
        },
      },
    ])
    expect(wrong).toEqual([])
  },
)

const key = '4a5ad514f0957fa170a676210c9bdbddf3bc9519702cf915fa6767a40463b96f'
const balanceOf = (account: string, balance: number) => ({ account, balance, tokens: [] })
const noBalances = { timestamp: null, balances: [], links: { next: null } }

it.skipIf(!isHere)('joins conditions on a balance and on a key by and (skipped without ../shared)', async () => {
  const found = { timestamp: '0.000002003', balances: [balanceOf('0.0.4', 40)], links: { next: null } }
  const less = `${key.slice(0, -1)}e`
  const wrong = await ask('cases/accounts/no-params', [
    { url: '/balances?account.balance=40&account.balance=50', status: 200, body: noBalances },
    { url: '/balances?account.balance=40&account.balance=40', status: 200, body: found },
    { url: '/balances?account.balance=40&account.balance=lt:41', status: 200, body: found },
    { url: '/accounts?account.balance=40&account.balance=50', ...empty('accounts') },
    { url: `/balances?account.publickey=gt:${less}&account.balance=40`, status: 200, body: found },
    { url: `/balances?account.publickey=gte:${key}&account.id=4`, status: 200, body: found },
    { url: `/balances?account.publickey=gt:${key}`, status: 200, body: noBalances },
    { url: `/balances?account.publickey=ne:${key}`, status: 200, body: noBalances },
    { url: `/balances?account.publickey=${key}&account.publickey=${less}`, status: 200, body: noBalances },
    { url: `/accounts?account.publickey=lt:${key}`, ...empty('accounts') },
    { url: '/balances?account.publickey=gt:', ...refused('Invalid parameter: account.publickey') },
  ])
  expect(wrong).toEqual([])
})

it.skipIf(!isHere)(
  'does not show the treasury that it made up, by itself either (skipped without ../shared)',
  async () => {
    expect(await ask('cases/accounts/no-params', [{ url: '/accounts/2', ...nothing() }])).toEqual([])
  },
)

it.skipIf(!isHere)('tells wrong credentials before that nothing is there (skipped without ../shared)', async () => {
  const users = [{ username: 'ann', password: 'secret', page_size_max: 10 }]
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  const unauthorized = { status: 401, body: { _status: { messages: [{ message: 'Invalid credentials' }] } } }
  const wrong = await ask(
    'cases/accounts/no-params',
    [
      { url: '/accounts', send_headers: basic('ann:wrong'), ...unauthorized },
      { url: '/nothing/here', send_headers: basic('ann:wrong'), ...unauthorized },
      { url: '/nothing/here', send_headers: basic('ann:secret'), ...nothing() },
      { url: '/nothing/here', ...nothing() },
    ],
    { users },
  )
  expect(wrong).toEqual([])
})

const ledgerC = 'cases/synthetic/ledger-c'
const cell = (row: Readonly<Record<string, unknown>>, name: string) => String(row[name])

it.skipIf(!isHere)(
  'names who sent a failed Ethereum transaction, on lists as by itself (skipped without ../shared)',
  async () => {
    const file = readCaseFile(`${root}${ledgerC}.json`)
    const signed = new Set(file.rows['ethereum_transaction']?.map((row) => cell(row, 'consensus_timestamp')))
    const failed = file.rows['contract_result']?.filter(
      (row) => signed.has(cell(row, 'consensus_timestamp')) && cell(row, 'transaction_result') !== '22',
    )
    expect(failed?.length).toBeGreaterThan(0)
    for (const row of failed ?? []) {
      const nanos = cell(row, 'consensus_timestamp')
      const at = `${nanos.slice(0, -9)}.${nanos.slice(-9)}`
      const sender = `0x${BigInt(cell(row, 'sender_id')).toString(16).padStart(40, '0')}`
      const answers = await said(file, [
        { url: `/contracts/results?timestamp=${at}&internal=true`, body: { results: [{ from: wanted }] } },
        { url: `/contracts/results/${cell(row, 'transaction_hash')}`, body: { from: wanted } },
      ])
      expect(answers).toEqual([[sender], [sender]])
    }
  },
)

it.skipIf(!isHere)(
  'shows the block of a result in the last file, and none of one that is in no file yet (skipped without ../shared)',
  async () => {
    const file = readCaseFile(`${root}${ledgerC}.json`)
    const times = file.rows['contract_result']?.map((row) => BigInt(cell(row, 'consensus_timestamp'))) ?? []
    const [last = 0n, before = 0n] = times.toSorted((a, b) => (a > b ? -1 : 1))
    const ends = (row: Readonly<Record<string, unknown>>) => BigInt(cell(row, 'consensus_end'))
    const files = file.rows['record_file']?.toSorted((a, b) => (ends(a) < ends(b) ? -1 : 1)) ?? []
    const until = files.findIndex((row) => ends(row) >= before)
    const kept = files.slice(0, until + 1)
    const cut = { ...file, rows: { ...file.rows, record_file: kept } } as CaseFile
    const at = (time: bigint) => `${time / 1_000_000_000n}.${String(time % 1_000_000_000n).padStart(9, '0')}`
    const { index: number, hash } = kept.at(-1) ?? {}
    expect(ends(kept.at(-1)!)).toBeLessThan(last)
    const body = { results: [{ block_hash: wanted, block_number: wanted }] }
    const requests = [before, last].map((time) => ({
      url: `/contracts/results?timestamp=${at(time)}&internal=true`,
      body,
    }))
    expect(await said(cut, requests)).toEqual([
      [`0x${hash}`, Number(number)],
      ['0x', null],
    ])
  },
)
