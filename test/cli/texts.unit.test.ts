import { expect, it } from 'vitest'
import { formatBanner, formatSummary } from '#src/cli/start-texts.ts'
import { formatProjections } from '#src/cli/verbs/projections/format.ts'
import { loadConfig } from '#src/config/load.ts'
import { StatusBoard } from '#src/runtime/watch/status.ts'

const { config } = loadConfig({ flags: {}, environment: {}, file: undefined })
const folder = {
  path: 'data',
  log: '',
  store: '',
  decisions: '',
  network: '',
  marker: { format: 1, network: 'simulated' },
}
const url = 'http://127.0.0.1:5551'

it('the banner names a page that a browser can open before the prefix of the requests', () => {
  expect(formatBanner({ config, folder, url })).toContain(
    `  API          ${url}/api/v1/docs describes it; requests begin with ${url}/api/v1\n`,
  )
  const without = { ...config, api: { ...config.api, docs: false } }
  expect(formatBanner({ config: without, folder, url })).toContain(`  API          requests begin with ${url}/api/v1\n`)
})

it('the summary of a run that found nothing new says how far the log reaches', () => {
  const board = new StatusBoard(() => 0)
  const lastBlock = { name: 'x', number: 39n, numberProvisional: false, hash: Buffer.alloc(48), time: 5_000_000_001n }
  expect(formatSummary({ board, lastBlock, folder, seconds: 0.5 })).toMatch(
    /^Nothing new; newest block 39, consensus time 5\.000000001\n/,
  )
  board.setImport({ latestBlock: 39n, consensusEnd: undefined, blocks: 1, transactions: 2 })
  expect(formatSummary({ board, lastBlock, folder, seconds: 0.5 })).toMatch(
    /^Imported 1 block with 2 transactions in 0\.5 s \(4 tx\/s\); .*\n {2}newest block 39, /,
  )
})

it('read models are said to stand somewhere, not to do something', () => {
  const at = { version: 1, head: 2_000, lagSeconds: 0, stalledSeconds: 0, parked: 0 }
  const text = formatProjections([
    { ...at, name: 'one', position: 2_000, state: 'following' },
    { ...at, name: 'two', position: 1_999, state: 'following', lagSeconds: 1.25, parked: 1 },
    { ...at, name: 'three', position: 0, state: 'starting' },
  ])
  expect(text.split('\n')).toEqual([
    'one v1    100.0%  2,000 / 2,000  lag 0.0 s  up to date',
    'two v1    99.9%  1,999 / 2,000  lag 1.3 s  behind  1 event parked',
    'three v1  0.0%  0 / 2,000  lag 0.0 s  not built',
  ])
})
