import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { openTestLedger } from '#test/http/ledger.ts'
import { namesOf, type OpenApi, operationsOf } from '#test/http/openapi-difference.ts'

const file = fileURLToPath(new URL('../../../shared/reference/openapi.yml', import.meta.url))
if (!existsSync(file)) console.warn(`skipped: the specification is not at ${file}`)

/** Newer than the specification: which accounts a transaction of EIP-7702 lets act by code, and access lists that are no text. */
const authorizations = ['', '[].address', '[].chain_id', '[].nonce', '[].r', '[].s', '[].y_parity'].map(
  (part) => `authorization_list${part}`,
)
const newer = ['access_list[].address', 'access_list[].storage_keys', ...authorizations]
/** What established clients do not get of the results of one contract. */
const ofAllContracts = [
  'access_list',
  'block_gas_used',
  'block_hash',
  'block_number',
  'chain_id',
  'failed_initcode',
  'gas_price',
  'max_fee_per_gas',
  'max_priority_fee_per_gas',
  'nonce',
  'r',
  'result',
  's',
  'status',
  'transaction_index',
  'type',
  'v',
]

/**
 * By operation: `-` is what only the specification has, `+` what only this service has. What is here on purpose is said in
 * docs/compatibility.md.
 */
const known: Differences = {
  'GET /api/v1/accounts': ['+ field accounts[].delegation_address'],
  'GET /api/v1/accounts/{}': ['+ field delegation_address'],
  'GET /api/v1/accounts/{}/balances': ['+ operation'],
  'GET /api/v1/blocks': ['+ field blocks[].receipts_root'],
  'GET /api/v1/blocks/{}': ['+ field receipts_root'],
  'GET /api/v1/contracts/results': newer.map((name) => `+ field results[].${name}`),
  'GET /api/v1/contracts/results/{}': newer.map((name) => `+ field ${name}`),
  'GET /api/v1/contracts/{}/results': [
    '+ parameter hbar',
    ...ofAllContracts.map((name) => `- field results[].${name}`),
  ],
  'GET /api/v1/contracts/{}/results/{}': newer.map((name) => `+ field ${name}`),
  'GET /api/v1/contracts/results/{}/prestate': ['+ operation'],
  'GET /api/v1/network/accounts': ['+ operation'],
  'POST /api/v1/contracts/call': ['access_list', 'access_list[].address', 'access_list[].storage_keys', 'gas_used'].map(
    (name) => `+ field ${name}`,
  ),
  'POST /api/v1/contracts/call/actions': ['+ operation'],
  'POST /api/v1/contracts/simulate': ['+ operation'],
  'POST /api/v1/network/fees': ['+ field high_volume_multiplier_exact'],
  'GET /api/v1/network/supply': ['+ parameter q'],
  'GET /api/v1/tokens/{}/holders': ['+ operation'],
  'GET /api/v1/transactions': ['+ parameter token.id'],
}

type Differences = Readonly<Record<string, readonly string[]>>

it.skipIf(!existsSync(file))(
  'describes what the specification describes, but for what is listed (skipped without ../shared)',
  async () => {
    const [ours, theirs] = [await ownDocument(), parse(readFileSync(file, 'utf8')) as OpenApi]
    expect(differencesOf(ours, theirs)).toEqual(known)
  },
)

async function ownDocument(): Promise<OpenApi> {
  const ledger = await openTestLedger()
  const app = ledger.app({ docs: true })
  try {
    return (await app.inject('/api/v1/docs/openapi.json')).json()
  } finally {
    await app.close()
    await ledger.close()
  }
}

function differencesOf(ours: OpenApi, theirs: OpenApi): Differences {
  const [own, specified] = [operationsOf(ours), operationsOf(theirs)]
  const names = [...new Set([...specified.keys(), ...own.keys()])].filter(isCompared)
  const found = names.map((name): [string, string[]] => {
    const [mine, theirOwn] = [own.get(name), specified.get(name)]
    if (mine === undefined) return [name, ['- operation']]
    if (theirOwn === undefined) return [name, ['+ operation']]
    const [has, wants] = [namesOf(mine, ours), namesOf(theirOwn, theirs)]
    const lacking = [...wants].filter((each) => !has.has(each)).map((each) => `- ${each}`)
    const added = [...has].filter((each) => !wants.has(each)).map((each) => `+ ${each}`)
    return [name, [...lacking, ...added].sort()]
  })
  return Object.fromEntries(found.filter(([, differing]) => differing.length > 0))
}

/** Operations of the history API. */
function isCompared(name: string): boolean {
  const [, path = ''] = name.split(' ')
  return path.startsWith('/api/v1/')
}
