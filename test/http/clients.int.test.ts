import {
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbi,
  serializeTransaction,
  type TransactionSerializable,
  toHex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transactionTypeNames } from '#src/domain/transaction-types.ts'
import { expectedContractTokens } from '#test/oracle/expected-contracts.ts'
import { type Json, openSimulatedLedger, type SimulatedLedger } from '#test/oracle/simulated-ledger.ts'
import { signed } from '#test/queries/network-files/submitted.ts'

// What docs/clients.md says of the relay, the explorer, the SDKs and an indexer: the requests that they make, and what they do with the
// answers. Fields of a whole result or log as viem reads them are in test/queries/relay.int.test.ts.

const timeoutMs = 120_000
/** In whose name hooks run. */
const hooks = '0.0.365'
let ledger: SimulatedLedger
let blocks: Json[]

beforeAll(async () => {
  const options = {
    seed: 'sdk',
    accounts: 120,
    transactionsPerSecond: 50,
    dayBlocks: 5,
    addressBookUpdateBlocks: 10,
  }
  ledger = await openSimulatedLedger(options, 20)
  blocks = await ledger.list('/blocks?order=asc&limit=100', 'blocks')
}, timeoutMs)
afterAll(() => ledger.close())

const within = ({ timestamp: { from, to } }: Json) => `timestamp=gte:${from}&timestamp=lte:${to}`
const resultsOf = (block: Json, query = '') =>
  ledger.list(`/contracts/results?${within(block)}&limit=100&order=asc${query}`, 'results')
const logsOf = (block: Json) => ledger.list(`/contracts/results/logs?${within(block)}&limit=100&order=asc`, 'logs')

describe('a JSON-RPC relay', () => {
  it('sees that the mirror goes on by its newest block', async () => {
    const { blocks: newest } = await ledger.ask('/blocks?limit=1&order=desc')
    expect(newest).toEqual([blocks.at(-1)])
  })

  it('builds each block from its results alone, in the order of their indexes', { timeout: timeoutMs }, async () => {
    let made = 0
    for (const block of blocks) {
      const results = await resultsOf(block)
      const all = await resultsOf(block, '&internal=true')
      const places = [...new Set(all.map(({ transaction_index: index }) => index))]
      expect(places).toEqual(places.map((_, index) => index))
      // What hooks call in a transfer is a part of it, though it has a place of its own.
      const ofHooks = new Set(
        all.filter((each) => each.contract_id === hooks).map(({ transaction_index: index }) => index),
      )
      expect(results.map(({ transaction_index: index }) => index)).toEqual(
        places.filter((index) => !ofHooks.has(index)),
      )
      expect(new Set(results.map(({ hash }) => hash)).size).toBe(results.length)
      for (const { block_number: number, block_hash: hash } of results)
        expect([number, hash]).toEqual([block.number, block.hash])
      made += results.filter(({ gas_used: used }) => used === null).length
    }
    expect(made).toBeGreaterThan(0)
  })

  it('has the same transaction on every path', { timeout: timeoutMs }, async () => {
    const common = ({ from, to, hash, timestamp, transaction_index: index, block_number: block }: Json) => {
      return { from, to, hash, timestamp, index, block }
    }
    const block = await fullestBlock()
    for (const result of await resultsOf(block)) {
      const { hash, contract_id: id, timestamp, transaction_index: index } = result
      const inBlock = [`block.number=${block.number}`, `block.hash=${block.hash}`]
      const one = [`/contracts/results/${hash}`, ...(id === null ? [] : [`/contracts/${id}/results/${timestamp}`])]
      for (const path of one) expect(common(await ledger.ask(path))).toEqual(common(result))
      for (const query of inBlock) {
        const { results } = await ledger.ask(`/contracts/results?${query}&transaction.index=${index}`)
        expect(results.map(common)).toEqual([common(result)])
      }
      const { logs } = await ledger.ask(`/contracts/results/logs?transaction.hash=${hash}&timestamp=${timestamp}`)
      for (const log of logs) expect([log.transaction_index, log.block_number]).toEqual([index, block.number])
      if (id === null) continue
      const { results } = await ledger.ask(`/contracts/${id}/results?timestamp=${timestamp}`)
      // Of what ran, the list of a contract names its number, and all others the address that the transaction was sent to.
      const to = result.gas_used === null ? { to: result.to } : {}
      expect(results).toMatchObject([{ address: result.address, from: result.from, hash, timestamp, ...to }])
    }
  })

  it('finds a result for each log, in the order of their numbers', { timeout: timeoutMs }, async () => {
    for (const block of blocks) {
      const byHash = new Map((await resultsOf(block)).map(({ hash, transaction_index: index }) => [hash, index]))
      const logs = await logsOf(block)
      for (const { transaction_hash: hash, transaction_index: index } of logs)
        expect([hash, byHash.get(hash)]).toEqual([hash, index])
      const numbers = logs.map(({ index }) => index)
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    }
  })

  it('gets the hash of each Ethereum transaction again from its fields', { timeout: timeoutMs }, async () => {
    const results = await ledger.list('/contracts/results?hbar=false&limit=100', 'results')
    const sent = results.filter(({ r }) => r !== null)
    const kinds = new Set(sent.map(({ type }) => type))
    expect([...kinds].sort()).toEqual([0, 1, 2, 4])
    expect(sent.some(({ access_list: list }) => list.length > 0)).toBe(true)
    const wrong = sent.filter((result) => keccak256(serialized(result)) !== result.hash)
    expect(wrong).toEqual([])
  })

  it('knows the price of gas, and what is at an address', async () => {
    const { fees } = await ledger.ask('/network/fees')
    expect(fees.map(({ transaction_type: type }: Json) => type)).toContain('EthereumTransaction')
    const [contract] = (await ledger.ask('/contracts?limit=1')).contracts
    expect((await ledger.ask(`/contracts/${contract.evm_address}`)).runtime_bytecode).toMatch(/^0x[0-9a-f]{2,}$/)
    const { ethereum_nonce: nonce, balance } = await ledger.ask(`/accounts/${contract.evm_address}?transactions=false`)
    expect([nonce, typeof balance.balance]).toEqual([contract.nonce, 'number'])
    await ledger.ask(`/contracts/0x${'ab'.repeat(20)}`, 404)
    for (const list of ['results', 'results/logs', 'state']) {
      const nothing = await ledger.ask(`/contracts/0x${'ab'.repeat(20)}/${list}`)
      expect(nothing).toEqual({ [list.replace('results/', '')]: [], links: { next: null } })
    }
  })

  it('calls contracts and estimates their gas', { timeout: timeoutMs }, async () => {
    const view = ledger.history.now()
    const [contract, holders] = [...expectedContractTokens(view)].find(([id]) => view.entity(id)?.deleted === false)!
    const [word, balance] = [...holders].find(([, units]) => units > 0n)!
    const abi = parseAbi(['function balanceOf(address) view returns (uint256)'])
    const data = encodeFunctionData({ abi, args: [`0x${word.slice(-40)}`] })
    const to = (await ledger.ask(`/contracts/${contract}`)).evm_address
    const called = (more: object) => ledger.post('/contracts/call', { data, to, ...more })
    for (const block of ['latest', null, toHex(blocks.at(-1).number), blocks.at(-1).hash])
      expect(await called({ block })).toEqual([200, { result: toHex(balance, { size: 32 }) }])
    const [status, { result: gas }] = await called({ estimate: true })
    expect([status, Number(gas) > 21_000]).toEqual([200, true])
    expect((await called({ block: 'no block' }))[0]).toBe(400)
  })

  it('traces what a transaction called', async () => {
    const results = await ledger.list('/contracts/results?limit=100', 'results')
    const ran = results.find(
      ({ gas_used: used, type, created_contract_ids: created }) => used !== null && type === 2 && created.length === 0,
    )
    const { actions } = await ledger.ask(`/contracts/results/${ran.hash}/actions`)
    expect(actions[0]).toMatchObject({ call_depth: 0, to: expect.stringMatching(/^0x/), call_type: 'CALL' })
  })
})

/** With the most results. */
async function fullestBlock(): Promise<Json> {
  const counts = await Promise.all(blocks.map(async (block) => (await resultsOf(block)).length))
  return blocks[counts.indexOf(Math.max(...counts))]
}

const quantity = (hex: string | null) => (hex === null || hex === '0x' ? undefined : BigInt(hex))

/** The transaction as it was signed, as relays put it together; prices are in weibars. */
function serialized(result: Json): Hex {
  const isForAnyChain = result.type === 0 && result.v < 35
  const common = {
    chainId: isForAnyChain ? undefined : Number(result.chain_id),
    nonce: result.nonce,
    gas: BigInt(result.gas_limit),
    to: result.created_contract_ids.includes(result.contract_id) ? undefined : result.to,
    value: BigInt(result.amount),
    data: result.function_parameters,
  }
  const accessList = result.access_list.map(({ address, storage_keys: storageKeys }: Json) => ({
    address,
    storageKeys,
  }))
  const fees = {
    maxFeePerGas: quantity(result.max_fee_per_gas),
    maxPriorityFeePerGas: quantity(result.max_priority_fee_per_gas),
  }
  const authorizationList = result.authorization_list?.map(({ chain_id: chain, y_parity: parity, ...rest }: Json) => ({
    ...rest,
    chainId: Number(chain),
    yParity: Number(parity),
  }))
  const forms = {
    0: { ...common, type: 'legacy', gasPrice: quantity(result.gas_price) },
    1: { ...common, type: 'eip2930', gasPrice: quantity(result.gas_price), accessList },
    2: { ...common, type: 'eip1559', ...fees, accessList },
    4: { ...common, type: 'eip7702', ...fees, accessList, authorizationList },
  }
  const transaction = forms[result.type as keyof typeof forms] as TransactionSerializable
  const { r, s, v } = result
  return serializeTransaction(transaction, result.type === 0 ? { r, s, v: BigInt(v) } : { r, s, yParity: Number(v) })
}

describe('the explorer', () => {
  it('offers every type of transaction as a filter', { timeout: timeoutMs }, async () => {
    const names = Object.values(transactionTypeNames)
    expect(names).toEqual(expect.arrayContaining(typesBetweenNodes))
    for (const name of names) {
      const { transactions } = await ledger.ask(`/transactions?transactiontype=${name}&limit=10`)
      expect(transactions.map((each: Json) => each.name)).toEqual(transactions.map(() => name))
    }
    await ledger.ask('/transactions?transactiontype=NOSUCHTYPE', 400)
  })

  it('shows a row for each slot of an access list, and who is authorized', { timeout: timeoutMs }, async () => {
    const results = await ledger.list('/contracts/results?limit=100', 'results')
    const { hash } = results.find(({ access_list: list }) => list.length > 0)
    const { access_list: list } = await ledger.ask(`/contracts/results/${hash}`)
    for (const { address, storage_keys: keys } of list) {
      expect(address).toMatch(/^0x[0-9a-f]{40}$/)
      for (const key of keys) expect(key).toMatch(/^0x[0-9a-f]{64}$/)
    }
    for (const { access_list, authorization_list: authorizations, r } of results) {
      expect(access_list).toBeInstanceOf(Array)
      expect(Array.isArray(authorizations)).toBe(r !== null)
    }
    const signed = results.flatMap(({ authorization_list: authorizations = [] }) => authorizations)
    expect(signed.length).toBeGreaterThan(0)
    for (const authorization of signed)
      expect(authorization).toEqual({
        address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
        chain_id: expect.stringMatching(/^0x[0-9a-f]+$/),
        nonce: expect.any(Number),
        r: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        s: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        y_parity: expect.stringMatching(/^0x[01]$/),
      })
  })

  it('tells accounts that delegate to code by an address that is not 0x', async () => {
    const accounts = await ledger.list('/accounts?limit=100', 'accounts')
    const addresses = new Set(accounts.map(({ delegation_address: address }) => address))
    expect([...addresses].every((address) => address === '0x' || /^0x[0-9a-f]{40}$/.test(address))).toBe(true)
    const one = accounts.find(({ delegation_address: address }) => address !== '0x') ?? accounts[0]
    expect((await ledger.ask(`/accounts/${one.account}`)).delegation_address).toBe(one.delegation_address)
  })

  it('has its dashboard, its lists and the nodes', async () => {
    const { transactions } = await ledger.ask('/transactions?limit=1')
    const [{ transaction_id: id }] = transactions
    expect((await ledger.ask(`/transactions/${id}`)).transactions[0].transaction_id).toBe(id)
    for (const path of ['/network/supply', '/network/exchangerate', '/network/stake']) await ledger.ask(path)
    expect((await ledger.ask('/network/nodes?limit=25')).nodes.length).toBeGreaterThan(0)
    expect((await ledger.ask('/network/registered-nodes?limit=25')).registered_nodes).toBeInstanceOf(Array)
    const { hooks: found } = await ledger.ask(`/accounts/${transactions[0].transfers[0].account}/hooks`)
    expect(found).toBeInstanceOf(Array)
  })
})

const typesBetweenNodes = [
  'STATESIGNATURETRANSACTION',
  'HINTSPREPROCESSINGVOTE',
  'HINTSKEYPUBLICATION',
  'HINTSPARTIALSIGNATURE',
  'HISTORYPROOFSIGNATURE',
  'HISTORYPROOFKEYPUBLICATION',
  'HISTORYPROOFVOTE',
  'CRSPUBLICATION',
  'MIGRATIONROOTHASHVOTE',
]

describe('an SDK', () => {
  /** As MirrorNodeAccountBalanceQuery reads it. */
  const balanceOf = async (id: string) => (await ledger.ask(`/balances?account.id=${id}`)).balances[0]

  it('reads the balance of an account by every form of its id', { timeout: timeoutMs }, async () => {
    const accounts = await ledger.list('/accounts?limit=100', 'accounts')
    const aliased = accounts.find(
      ({ alias, evm_address: address, deleted }) => !deleted && alias?.length > 40 && address !== null,
    )
    const { account, alias, evm_address: address, balance } = aliased
    const number = account.split('.').at(-1)
    const longZero = BigInt(number).toString(16).padStart(40, '0')
    expect(alias).not.toContain('=')
    const forms = [
      account,
      number,
      `0.${number}`,
      address,
      address.slice(2),
      address.slice(2).toUpperCase(),
      `0x${longZero}`,
      longZero,
      alias,
    ]
    for (const form of forms)
      expect([form, await balanceOf(form)]).toMatchObject([form, { account, balance: balance.balance }])
    // An alias may be an address itself.
    const hollow = accounts.find(({ alias: own, deleted }) => !deleted && own?.length === 32)
    expect(await balanceOf(hollow.alias)).toMatchObject({ account: hollow.account, balance: hollow.balance.balance })
    const [contract] = (await ledger.ask('/contracts?limit=1')).contracts
    for (const form of [contract.contract_id, contract.evm_address.slice(2)])
      expect(await balanceOf(form)).toMatchObject({ account: contract.contract_id })
  })

  it('takes an empty list for an account that is not there, and refuses what is no id', async () => {
    const unknown = [
      '0.0.999999',
      'ab'.repeat(20),
      `0x${'ab'.repeat(20)}`,
      'CIQA',
      'KGNABD5L3ZGSRVUCSPDR7TONZSRY3D5OMEBKQMVTD2AC6JL72HMQ',
    ]
    for (const form of unknown)
      expect(await ledger.ask(`/balances?account.id=${form}`)).toMatchObject({ balances: [], links: { next: null } })
    for (const form of ['me', '0.0.0.1', '0x12', '-0.0.1', '1001%20'])
      await ledger.ask(`/balances?account.id=${form}`, 400)
  })

  it('reads the tokens of an account in pages of 100', async () => {
    const accounts = await ledger.list('/accounts?limit=100', 'accounts')
    const { account, balance } = accounts.find(({ balance: { tokens } }) => tokens.length > 1)
    const { tokens, links } = await ledger.ask(`/accounts/${account}/tokens?limit=100`)
    expect(links.next).toBeNull()
    expect(tokens.map(({ token_id, balance }: Json) => ({ token_id, balance }))).toEqual(balance.tokens)
    expect(await ledger.list(`/accounts/${account}/tokens?limit=1`, 'tokens')).toEqual(tokens)
  })

  it('pages over the registered nodes, and estimates fees by protobuf', async () => {
    const nodes = await ledger.list('/network/registered-nodes?limit=1', 'registered_nodes')
    expect(nodes.length).toBeGreaterThan(1)
    expect((await ledger.ask('/network/registered-nodes?limit=100')).registered_nodes).toEqual(nodes)
    const payload = Buffer.from(signed({ cryptoTransfer: {} }))
    const headers = { 'content-type': 'application/protobuf' }
    for (const mode of ['INTRINSIC', 'STATE'])
      expect(await ledger.post(`/network/fees?mode=${mode}`, payload, headers)).toMatchObject([
        200,
        { total: 1_000_000 },
      ])
  })
})

describe('an indexer', () => {
  it('finds each transaction of a block by its hash, and the logs of each receipt', {
    timeout: timeoutMs,
  }, async () => {
    const newest = blocks.at(-1)
    const results = await resultsOf(newest)
    expect(results.length).toBeGreaterThan(0)
    const logs = await logsOf(newest)
    for (const { hash } of results) {
      const one = await ledger.ask(`/contracts/results/${hash}`)
      const own = logs.filter(({ transaction_hash: of }) => of === hash).map(({ index }) => index)
      expect(one.logs.map(({ index }: Json) => index)).toEqual(expect.arrayContaining(own))
    }
  })
})
