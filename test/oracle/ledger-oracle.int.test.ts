import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '#src/simulator/evm/code.ts'
import type { LedgerView } from '#src/simulator/ledger-view.ts'
import { Prng } from '#src/simulator/prng.ts'
import { storageAfter } from '#test/oracle/contract-executions.ts'
import { exact, expectedAccount, expectedBalance, keyOf, timeOf } from '#test/oracle/expected-account.ts'
import { expectedAirdrops, expectedAllowances } from '#test/oracle/expected-allowances.ts'
import {
  balanceSlot,
  expectedContractTokens,
  expectedEthereum,
  expectedStorage,
} from '#test/oracle/expected-contracts.ts'
import { expectedGas, expectedRates } from '#test/oracle/expected-fees.ts'
import { expectedNft, nftsOf } from '#test/oracle/expected-nft.ts'
import { expectedHolders, expectedRelation, expectedToken } from '#test/oracle/expected-tokens.ts'
import { expectedMessages, expectedSchedule, expectedTopic } from '#test/oracle/expected-topics.ts'
import { type Json, openSimulatedLedger, type SimulatedLedger } from '#test/oracle/simulated-ledger.ts'
import { heldByLogs, wordsOf } from '#test/oracle/token-logs.ts'

/** The whole drill takes 200,000 transactions; a few thousand meet every kind of change as well. */
const transactions = Number(process.env['LEDGER_TEST_ORACLE_TRANSACTIONS'] ?? 6_000)
const instants = Number(process.env['LEDGER_TEST_ORACLE_INSTANTS'] ?? 12)
const accounts = Math.max(60, Math.floor(transactions / 10))
const sampled = 25
const blockTransactions = 100
const timeoutMs = 60_000 + transactions * 50
const seed = process.env['LEDGER_TEST_SEED'] ?? 'oracle'

describe(`the API's answers, held against the ${transactions} transactions of network "${seed}" itself`, () => {
  let ledger: SimulatedLedger
  let pick: (max: number) => number
  let past: bigint[]

  beforeAll(async () => {
    const blocks = Math.ceil(transactions / blockTransactions)
    const options = {
      seed,
      accounts,
      transactionsPerSecond: blockTransactions / 2,
      dayBlocks: Math.max(3, Math.floor(blocks / 20)),
      addressBookUpdateBlocks: 10,
    }
    ledger = await openSimulatedLedger(options, blocks)
    const random = new Prng(seed)
    pick = (max) => random.below(max)
    const { newest } = ledger.history
    const first = 1_767_225_600_000_000_000n
    const span = Number((newest - first) / 1_000_000n)
    past = Array.from({ length: instants }, () => first + BigInt(pick(span)) * 1_000_000n + 999_999n)
  }, timeoutMs)
  afterAll(() => ledger.close())

  /** Accounts and contracts of a view, ascending. */
  const owners = (view: LedgerView): number[] =>
    [...view.rows('entities')]
      .filter(([, { type }]) => type === 'ACCOUNT' || type === 'CONTRACT')
      .map(([num]) => Number(num))
      .sort((a, b) => a - b)
  const some = <T>(all: readonly T[]): T[] =>
    Array.from({ length: Math.min(sampled, all.length) }, () => all[pick(all.length)]!)

  it('lists every account and contract that there is, as it is now', { timeout: timeoutMs }, async () => {
    const view = ledger.history.now()
    const listed = await ledger.list('/accounts?limit=100&order=asc', 'accounts')
    const expected = owners(view).map((num) => expectedAccount(num, view.entity(num)!, view))
    expect(listed.map(({ account }: Json) => account)).toEqual(expected.map(({ account }) => account))
    for (const [index, account] of listed.entries()) {
      const { balance: _balance, auto_renew_period: _period, ...rest } = account
      expect({ ...rest, auto_renew_period: account.auto_renew_period }).toMatchObject(expected[index]!)
    }
  })

  it('knows what everybody holds now, and the supply is what it was', { timeout: timeoutMs }, async () => {
    const view = ledger.history.now()
    const listed = await ledger.list('/balances?limit=100&order=asc', 'balances')
    let sum = 0n
    for (const { account, balance, tokens } of listed) {
      const num = Number(account.split('.')[2])
      sum += BigInt(balance)
      const { balance: expected, tokens: all } = expectedBalance(num, view)
      expect({ account, balance }).toEqual({ account, balance: expected })
      expect(tokens.map(({ token_id, balance: held }: Json) => ({ token_id, balance: held }))).toEqual(all.slice(0, 50))
    }
    expect(sum).toBe(5_000_000_000_000_000_000n)
    expect(listed.map(({ account }: Json) => Number(account.split('.')[2]))).toEqual(owners(view))
  })

  it('knows what everybody held at any instant, and conserves the supply in each', { timeout: timeoutMs }, async () => {
    for (const time of past) {
      const view = ledger.history.at(time)
      const path = `/balances?limit=100&order=asc&timestamp=${timeOf(time)}`
      const listed = await ledger.list(path, 'balances')
      let sum = 0n
      for (const { account, balance, tokens } of listed) {
        sum += BigInt(balance)
        const expected = expectedBalance(Number(account.split('.')[2]), view)
        const held = { balance: expected.balance, tokens: expected.tokens.slice(0, 50) }
        // A million balances: `expect` takes longer for one than the service.
        if (!isDeepStrictEqual({ balance, tokens }, held))
          expect({ at: timeOf(time), account, balance, tokens }).toEqual({ at: timeOf(time), account, ...held })
      }
      expect(sum).toBe(5_000_000_000_000_000_000n)
      const { timestamp } = await ledger.ask(path)
      expect(timestamp).toBe(timeOf(view.balancesChangedAt!))
    }
  })

  it('counts the accounts, and who holds hbar and each token, now and at any instant', {
    timeout: timeoutMs,
  }, async () => {
    for (const time of [undefined, ...past]) {
      const view = time === undefined ? ledger.history.now() : ledger.history.at(time)
      const query = time === undefined ? '' : `?timestamp=${timeOf(time)}`
      const accounts = owners(view)
      const holders = accounts.filter((num) => (view.balance(num) ?? 0n) > 0n)
      expect(await ledger.ask(`/network/accounts${query}`)).toMatchObject({
        accounts: accounts.length,
        holders: holders.length,
      })
      const relations = [...view.rows('relations')].filter(([, { associated, balance }]) => associated && balance > 0n)
      for (const token of some([...view.rows('tokens').keys()])) {
        const held = relations.filter(([key]) => key.endsWith(`/${token}`))
        const { holders } = await ledger.ask(`/tokens/${token}/holders${query}`)
        expect({ query, token, holders }).toEqual({ query, token, holders: held.length })
      }
    }
  })

  it('draws the balance of any account over time', { timeout: timeoutMs }, async () => {
    const view = ledger.history.now()
    for (const num of some(owners(view))) {
      for (const limit of [7, 1_000]) {
        const { balances } = await ledger.ask(`/accounts/${num}/balances?limit=${limit}`)
        for (const { timestamp, balance } of balances) {
          const then = ledger.history.at(BigInt(timestamp.replace('.', '')))
          expect({ num, timestamp, balance }).toEqual({ num, timestamp, balance: exact(then.balance(num) ?? 0n) })
        }
      }
    }
  })

  it('shows any account as it was at any instant', { timeout: timeoutMs }, async () => {
    for (const time of past) {
      const view = ledger.history.at(time)
      for (const num of some(owners(view))) {
        const at = timeOf(time)
        const { balance, ...account } = await ledger.ask(`/accounts/${num}?timestamp=${at}&transactions=false`)
        // It opens no version: it is shown as of now.
        const { ethereum_nonce: _nonce, ...expected } = expectedAccount(num, view.entity(num)!, view)
        expect({ at, ...account }).toMatchObject({ at, ...expected })
        expect({ at, num, balance: balance.balance }).toEqual({ at, num, balance: exact(view.balance(num) ?? 0n) })
      }
    }
  })

  it('finds accounts by alias and by EVM address, also those used again', { timeout: timeoutMs }, async () => {
    const view = ledger.history.now()
    for (const [alias, { num }] of some([...view.rows('aliases')])) {
      if (alias.length !== 40) continue
      const found = await ledger.ask(`/accounts/0x${alias}?transactions=false`, num === null ? 404 : 200)
      if (num !== null) expect({ alias, account: found.account }).toEqual({ alias, account: `0.0.${num}` })
    }
  })

  it('lists the rewards that each account was paid', { timeout: timeoutMs }, async () => {
    const view = ledger.history.now()
    expect(ledger.history.rewards.length).toBeGreaterThan(0)
    for (const { account: num } of some(ledger.history.rewards)) {
      const listed = await ledger.list(`/accounts/${num}/rewards?limit=100&order=asc`, 'rewards')
      const expected = view.rewardsPaidTo(num)
      expect(listed).toEqual(
        expected.map(({ amount, time }) => ({ account_id: `0.0.${num}`, amount, timestamp: timeOf(time) })),
      )
    }
  })

  it('shows the hooks and the storage of every owner, now and at any instant', { timeout: timeoutMs }, async () => {
    const view = ledger.history.now()
    const hooks = [...view.rows('hooks')]
    expect(hooks.length).toBeGreaterThan(0)
    for (const [key, hook] of some(hooks)) {
      const [owner, id] = key.split('/')
      const listed = await ledger.list(`/accounts/${owner}/hooks?limit=100`, 'hooks')
      expect(listed.find(({ hook_id }: Json) => String(hook_id) === id)).toMatchObject({
        admin_key: keyOf(hook.adminKey),
        contract_id: `0.0.${hook.contract}`,
        created_timestamp: hook.createdAt === null ? null : timeOf(hook.createdAt),
        deleted: hook.deleted,
        owner_id: `0.0.${owner}`,
      })
      const stored = await ledger.list(`/accounts/${owner}/hooks/${id}/storage?limit=100&order=asc`, 'storage')
      const slots = [...view.rows('hookSlots', `${key}/`)].filter(([, { value }]) => value !== '')
      expect({ key, stored: stored.map(slotOf) }).toEqual({ key, stored: slots.map(expectedSlot).sort() })
    }
    for (const time of past) {
      const then = ledger.history.at(time)
      for (const [key] of some([...then.rows('hooks')]).slice(0, 5)) {
        const [owner, id] = key.split('/')
        const path = `/accounts/${owner}/hooks/${id}/storage?limit=100&order=asc&timestamp=lte:${timeOf(time)}`
        const stored = await ledger.list(path, 'storage')
        const slots = [...then.rows('hookSlots', `${key}/`)].map(expectedSlot).sort()
        // The newest change of a slot may be a read, which shows no value.
        const read = stored.filter(({ value }: Json) => value === null).map(({ key: slot }: Json) => slot)
        const known = slots.filter((slot) => !read.some((each: string) => slot.startsWith(each)))
        const written = stored.filter(({ value }: Json) => value !== null)
        expect({ key, time, stored: written.map(slotOf) }).toEqual({ key, time, stored: known })
      }
    }
  })

  it('logs every movement of a token, so that the logs alone tell who has what', { timeout: timeoutMs }, async () => {
    const view = ledger.history.now()
    // What an account loses by giving up a token that is deleted is no movement.
    const held = [...view.rows('relations')].filter(([, { associated }]) => associated)
    const relations = held.map(([key, { balance }]) => [...key.split('/'), balance] as const)
    const tokens = [...view.rows('tokens')].filter(([, { nft }]) => !nft)
    expect(tokens.length).toBeGreaterThan(0)
    for (const [token] of some(tokens)) {
      const logged = heldByLogs(await ledger.list(`/contracts/${token}/results/logs?limit=100&order=asc`, 'logs'))
      const expected = relations.filter(([, ofToken]) => ofToken === token)
      const known = expected.map(([num]) => {
        const words = wordsOf(Number(num), expectedAccount(Number(num), view.entity(Number(num))!, view).evm_address)
        return [num, [...new Set(words)].reduce((sum, word) => sum + (logged.get(word) ?? 0n), 0n)] as const
      })
      expect({ token, known }).toEqual({ token, known: expected.map(([num, , balance]) => [num, balance]) })
    }
  })

  /** Numbers by block of the logs that name no NFT: those of tokens that got another treasury. */
  async function unlistedLogs(): Promise<Map<number, number[]>> {
    const updates = await ledger.list('/transactions?transactiontype=TOKENUPDATE&limit=100', 'transactions')
    const numbers = new Map<number, number[]>()
    // Duplicates have the id of the transaction that they repeat.
    for (const id of new Set(updates.map(({ transaction_id }: Json) => transaction_id))) {
      const { block_number: block, logs = [] } = await ledger.ask(`/contracts/results/${id}`, 200, 404)
      for (const { index, topics } of logs) {
        if (topics.length === 4 && /f{16}$/.test(topics[3])) numbers.set(block, [...(numbers.get(block) ?? []), index])
      }
    }
    return numbers
  }

  it('numbers the logs of each block without a gap', { timeout: timeoutMs }, async () => {
    const logs = await ledger.list('/contracts/results/logs?limit=100&order=asc', 'logs')
    const byBlock = Map.groupBy(logs, ({ block_number: block }: Json) => block)
    const unlisted = await unlistedLogs()
    expect(unlisted.size).toBeGreaterThan(0)
    expect(byBlock.size).toBeGreaterThan(1)
    for (const [block, own] of byBlock) {
      const numbers = [...own.map(({ index }: Json) => index), ...(unlisted.get(block) ?? [])].sort((a, b) => a - b)
      expect({ block, numbers }).toEqual({ block, numbers: numbers.map((_number, index) => index) })
    }
  })

  it('knows what is left of every allowance', { timeout: timeoutMs }, async () => {
    const expected = expectedAllowances(ledger.history.now())
    for (const path of ['crypto', 'tokens']) {
      const isOfPath = ({ token_id }: Json) => (token_id === undefined) === (path === 'crypto')
      const owners = [...expected].filter(([, allowances]) => allowances.some(isOfPath))
      expect(owners.length).toBeGreaterThan(0)
      for (const [owner, allowances] of some(owners)) {
        const listed = await ledger.list(`/accounts/${owner}/allowances/${path}?limit=3&order=asc`, 'allowances')
        expect(listed).toEqual(allowances.filter(isOfPath))
      }
    }
  })

  it('knows who owns each NFT, who may transfer it, and what it is', { timeout: timeoutMs }, async () => {
    const view = ledger.history.now()
    const nfts = nftsOf(view)
    expect(nfts.some(([, { spender }]) => spender !== null)).toBe(true)
    const tokens = [...new Set(nfts.map(([key]) => Number(key.split('/')[0])))]
    const listed = await Promise.all(
      tokens.map((num) => ledger.list(`/tokens/${num}/nfts?limit=100&order=asc`, 'nfts')),
    )
    expect(listed.flat()).toEqual(nfts.map(([key, nft]) => expectedNft(key, nft, view)))
    for (const owner of new Set(some(nfts).map(([, nft]) => nft.owner))) {
      if (owner === null) continue
      const held = nfts.filter(([, nft]) => nft.owner === owner).map(([key, nft]) => expectedNft(key, nft, view))
      expect(await ledger.list(`/accounts/${owner}/nfts?limit=5&order=asc`, 'nfts')).toEqual(held)
      const approved = await ledger.list(`/accounts/${owner}/nfts?limit=5&order=asc&spender.id=gt:0`, 'nfts')
      expect(approved).toEqual(held.filter(({ spender }) => spender !== null))
    }
  })

  it('tells the history of an NFT, and whose it was', { timeout: timeoutMs }, async () => {
    const { tables } = ledger.history
    for (const [key] of some([...tables.nfts])) {
      const [token, serial] = key.split('/')
      const { deleted, since } = ledger.history.now().entity(Number(token))!
      const times = [...tables.nfts.get(key)!.times, ...(deleted ? [since] : [])].sort((a, b) => (a < b ? -1 : 1))
      const path = `/tokens/${token}/nfts/${serial}/transactions?limit=3&order=asc`
      const listed = await ledger.list(path, 'transactions')
      expect({ key, times: listed.map((each) => each.consensus_timestamp) }).toEqual({ key, times: times.map(timeOf) })
      for (const [index, { type, sender_account_id, receiver_account_id }] of listed.entries()) {
        const owners = [times[index]! - 1n, times[index]!].map(
          (time) => ledger.history.at(time).row('nfts', key)?.owner,
        )
        const [sender, receiver] = owners.map((owner) => (owner ? `0.0.${owner}` : null))
        // Neither a change of treasury nor leaving a deleted token names the parties of a single NFT.
        const moves = sender !== receiver && !['TOKENUPDATE', 'TOKENDISSOCIATE'].includes(type)
        expect({ type, sender_account_id, receiver_account_id }).toEqual({
          type,
          sender_account_id: moves ? sender : null,
          receiver_account_id: moves ? receiver : null,
        })
      }
    }
  })

  it('lists the airdrops that wait for a claim, from both sides', { timeout: timeoutMs }, async () => {
    const { bySender, byReceiver } = expectedAirdrops(ledger.history.now())
    for (const [path, expected] of [
      ['outstanding', bySender],
      ['pending', byReceiver],
    ] as const) {
      expect(expected.size).toBeGreaterThan(0)
      for (const [account, airdrops] of some([...expected]))
        expect(await ledger.list(`/accounts/${account}/airdrops/${path}?limit=3`, 'airdrops')).toEqual(airdrops)
    }
  })

  it('knows what hbar is worth and what gas costs, now and at any instant', { timeout: timeoutMs }, async () => {
    const view = ledger.history.now()
    expect(await ledger.ask('/network/exchangerate')).toEqual(expectedRates(view))
    expect(await ledger.ask('/network/fees')).toEqual(expectedGas(view))
    for (const time of past) {
      const [then, at] = [ledger.history.at(time), timeOf(time)]
      expect({ at, ...(await ledger.ask(`/network/exchangerate?timestamp=${at}`)) }).toEqual({
        at,
        ...expectedRates(then),
      })
      expect({ at, ...(await ledger.ask(`/network/fees?timestamp=${at}`)) }).toEqual({ at, ...expectedGas(then, time) })
    }
  })

  it('lists who may transfer all NFTs that an account has of a token', { timeout: timeoutMs }, async () => {
    const allowances = [...ledger.history.now().rows('nftAllowances')].filter(([, { approved }]) => approved)
    expect(allowances.length).toBeGreaterThan(0)
    for (const [key, { since }] of some(allowances)) {
      const [owner, spender, token] = key.split('/').map((num) => `0.0.${num}`)
      const timestamp = { from: timeOf(since), to: null }
      const expected = { approved_for_all: true, owner, spender, timestamp, token_id: token }
      expect(await ledger.list(`/accounts/${owner}/allowances/nfts`, 'allowances')).toContainEqual(expected)
      expect(await ledger.list(`/accounts/${spender}/allowances/nfts?owner=false`, 'allowances')).toContainEqual(
        expected,
      )
    }
  })

  it('lists nodes and registered nodes', { timeout: timeoutMs }, async () => {
    const view = ledger.history.now()
    const nodes = await ledger.list('/network/nodes?limit=25', 'nodes')
    for (const { node_id: id, ...node } of nodes) {
      const facts = view.row('nodes', id)
      const stakes = view.row('stakePeriod', '')?.nodes.get(id)
      if (facts)
        expect({ id, ...node }).toMatchObject({
          id,
          node_account_id: `0.0.${facts.account}`,
          decline_reward: facts.declineReward,
          admin_key: keyOf(facts.adminKey),
          associated_registered_nodes: [...facts.associatedRegisteredNodes],
        })
      if (stakes) expect({ id, stake: node.stake }).toEqual({ id, stake: exact(stakes.stake) })
    }
    expect(nodes.length).toBeGreaterThan(0)
    const registered = await ledger.list('/network/registered-nodes?limit=100', 'registered_nodes')
    const living = [...view.rows('registeredNodes')].filter(([, { deleted }]) => !deleted)
    expect(registered.map(({ registered_node_id: id, description }: Json) => [String(id), description]).sort()).toEqual(
      living.map(([id, { description }]) => [id, description]).sort(),
    )
  })

  it('shows every token with its fees and supply, now and at any instant', { timeout: timeoutMs }, async () => {
    const view = ledger.history.now()
    const tokens = [...view.rows('tokens').keys()].map(Number)
    const listed = await ledger.list('/tokens?limit=100', 'tokens')
    expect(listed.map(({ token_id }: Json) => token_id)).toEqual(tokens.map((num) => `0.0.${num}`))
    for (const num of tokens) expect(await ledger.ask(`/tokens/${num}`)).toMatchObject(expectedToken(num, view))
    for (const time of past) {
      const then = ledger.history.at(time)
      for (const num of some([...then.rows('tokens').keys()].map(Number))) {
        const at = timeOf(time)
        const shown = await ledger.ask(`/tokens/${num}?timestamp=${at}`)
        expect({ at, ...shown }).toMatchObject({ at, ...expectedToken(num, then) })
      }
    }
  })

  it('folds the supply that receipts say at every mint, burn and wipe: what was moved so far', {
    timeout: timeoutMs,
  }, async () => {
    const changing = new Set(['TOKENMINT', 'TOKENBURN', 'TOKENWIPE'])
    let compared = 0
    for (const num of ledger.history.now().rows('tokens').keys()) {
      const path = `/transactions?token.id=${num}&result=success&limit=100&order=asc`
      let supply = 0n
      for (const transaction of await ledger.list(path, 'transactions')) {
        supply += unitsMade(transaction, `0.0.${num}`)
        if (!changing.has(transaction.name) || transaction.entity_id !== `0.0.${num}`) continue
        const { consensus_timestamp: timestamp } = transaction
        const { total_supply: told } = await ledger.ask(`/tokens/${num}?timestamp=${timestamp}`)
        expect({ num, timestamp, told }).toEqual({ num, timestamp, told: String(supply) })
        compared += 1
      }
    }
    expect(compared).toBeGreaterThan(0)
  })

  it('lists who holds each token, now and at any instant, and on what terms', { timeout: timeoutMs }, async () => {
    const view = ledger.history.now()
    for (const [num, holders] of expectedHolders(view))
      expect(await ledger.list(`/tokens/${num}/balances?limit=100&order=asc`, 'balances')).toEqual(holders)
    for (const time of past) {
      for (const [num, holders] of some([...expectedHolders(ledger.history.at(time))])) {
        const path = `/tokens/${num}/balances?limit=100&order=asc&timestamp=${timeOf(time)}`
        expect({ path, holders: await ledger.list(path, 'balances') }).toEqual({ path, holders })
      }
    }
    for (const num of some(owners(view))) {
      const relations = [...view.tokensOf(num)].filter(([, { associated }]) => associated).sort(([a], [b]) => a - b)
      const expected = relations.map(([token, relation]) => expectedRelation(token, relation, view))
      expect(await ledger.list(`/accounts/${num}/tokens?limit=100`, 'tokens')).toEqual(expected)
    }
  })

  it('shows every topic, and its messages as they were at any instant', { timeout: timeoutMs }, async () => {
    const view = ledger.history.now()
    const topics = [...view.rows('topics').keys()].map(Number)
    expect(topics.length).toBeGreaterThan(0)
    for (const num of topics) expect(await ledger.ask(`/topics/${num}`)).toEqual(expectedTopic(num, view))
    for (const num of some(topics)) {
      const expected = expectedMessages(num, view)
      expect(await ledger.list(`/topics/${num}/messages?limit=100`, 'messages')).toEqual(expected)
      for (const message of some(expected).slice(0, 3)) {
        expect(await ledger.ask(`/topics/${num}/messages/${message.sequence_number}`)).toEqual(message)
        expect(await ledger.ask(`/topics/messages/${message.consensus_timestamp}`)).toEqual(message)
      }
    }
    for (const time of past) {
      const then = ledger.history.at(time)
      for (const num of some(topics).slice(0, 5)) {
        const path = `/topics/${num}/messages?limit=100&order=desc&timestamp=lte:${timeOf(time)}`
        expect(await ledger.list(path, 'messages')).toEqual(expectedMessages(num, then).reverse())
      }
    }
  })

  it('lists every schedule with who signed it, and when it ran', { timeout: timeoutMs }, async () => {
    const view = ledger.history.now()
    const expected = [...view.rows('schedules').keys()]
      .map(Number)
      .sort((a, b) => a - b)
      .map((num) => expectedSchedule(num, view))
    expect(expected.filter(({ executed_timestamp: ran }) => ran !== null).length).toBeGreaterThan(0)
    const listed = await ledger.list('/schedules?limit=100', 'schedules')
    const withoutSignature = ({ signature: _made, ...rest }: Json) => rest
    expect(listed.map((each) => ({ ...each, signatures: each.signatures.map(withoutSignature) }))).toEqual(expected)
    for (const { creator_account_id: creator } of some(expected)) {
      const own = await ledger.list(`/schedules?account.id=${creator}&limit=100`, 'schedules')
      expect(own).toEqual(listed.filter((each) => each.creator_account_id === creator))
    }
  })

  it('has a result for every call and creation of a contract', { timeout: timeoutMs }, async () => {
    const types = ['CONTRACTCALL', 'CONTRACTCREATEINSTANCE'].map((type) => `transactiontype=${type}`).join('&')
    const transactions = await ledger.list(`/transactions?${types}&limit=100&order=asc`, 'transactions')
    const results = await ledger.list('/contracts/results?internal=true&limit=100&order=asc', 'results')
    const byTime = new Map(results.map((result: Json) => [result.timestamp, result]))
    const failedBefore = transactions.filter(({ consensus_timestamp: time }: Json) => !byTime.has(time))
    expect(failedBefore.length).toBeGreaterThan(0)
    for (const { consensus_timestamp: time, transaction_hash: hash } of failedBefore) {
      const path = `/contracts/results/0x${Buffer.from(hash, 'base64').toString('hex', 0, 32)}`
      const found = await ledger.ask(path, 200, 206)
      expect(found).toMatchObject({ timestamp: time, transaction_index: null, status: '0x0' })
      byTime.set(time, found)
    }
    for (const {
      consensus_timestamp: timestamp,
      entity_id: contract,
      result,
      transaction_hash: hash,
    } of transactions) {
      expect(byTime.get(timestamp)).toMatchObject({
        result,
        // The transaction does not say whom an address named that it failed at.
        contract_id: contract ?? (result === 'SUCCESS' ? null : expect.toSatisfy(() => true)),
        hash: `0x${Buffer.from(hash, 'base64').toString('hex', 0, 32)}`,
        block_number: expect.any(Number),
      })
    }
  })

  it('numbers what EVM tools see of each block without a gap, and shows it alike on every path', {
    timeout: timeoutMs,
  }, async () => {
    const results = await ledger.list('/contracts/results?internal=true&limit=100&order=asc', 'results')
    for (const [block, own] of Map.groupBy(results, ({ block_number: number }: Json) => number)) {
      const indexes = new Set(own.map(({ transaction_index: index }: Json) => index))
      expect({ block, indexes: [...indexes] }).toEqual({
        block,
        indexes: own.slice(0, indexes.size).map((_, at) => at),
      })
    }
    const byTime = new Map(results.map((result: Json) => [result.timestamp, result]))
    for (const log of await ledger.list('/contracts/results/logs?limit=100&order=asc', 'logs')) {
      const { transaction_hash: hash, transaction_index: index, timestamp } = log
      expect(byTime.get(timestamp)).toMatchObject({ hash, transaction_index: index })
    }
    const made = results.filter(({ gas_used: gas }: Json) => gas === null)
    expect(made.length).toBeGreaterThan(0)
    for (const each of [...some(made), ...some(results)]) {
      const { hash, timestamp, from, to, contract_id: contract, transaction_index: index } = each
      const shown = { hash, timestamp, from, to, contract_id: contract }
      if (contract === null) continue
      const path = `/contracts/${contract}/results`
      const single = await ledger.ask(`${path}/${timestamp}`, 200, 206)
      expect(single).toMatchObject({ ...shown, transaction_index: index })
      const listed = await ledger.list(`${path}?internal=true&timestamp=${timestamp}`, 'results')
      // The list of a contract has its own address where others have what an Ethereum transaction names.
      expect(listed).toMatchObject([each.gas_used === null ? shown : { ...shown, to: expect.any(String) }])
    }
    for (const { hash, from, to, transaction_index: index } of some(made)) {
      expect(await ledger.ask(`/contracts/results/${hash}`)).toMatchObject({ from, to, transaction_index: index })
    }
  })

  it('shows EVM tools whoever paid others with tokens', { timeout: timeoutMs }, async () => {
    const results = await ledger.list('/contracts/results?limit=100', 'results')
    const byTime = new Map(results.map((result: Json) => [result.timestamp, result]))
    const transfers = await ledger.list(
      '/transactions?transactiontype=CRYPTOTRANSFER&result=success&limit=100',
      'transactions',
    )
    const paid = transfers.filter(({ nonce, token_transfers: moved }: Json) => nonce === 0 && moved.length > 1)
    expect(paid.length).toBeGreaterThan(100)
    for (const {
      consensus_timestamp: time,
      transaction_hash: hash,
      token_transfers: moved,
      transaction_id: id,
    } of paid) {
      const payer = Number(id.split('-')[0].split('.')[2])
      expect(byTime.get(time)).toMatchObject({
        hash: `0x${Buffer.from(hash, 'base64').toString('hex', 0, 32)}`,
        from: `0x${payer.toString(16).padStart(40, '0')}`,
        contract_id: expect.toSatisfy((token: string) => moved.some(({ token_id: each }: Json) => each === token)),
      })
    }
  })

  it('lists contracts with their code, and the storage that results left them with', {
    timeout: timeoutMs,
  }, async () => {
    const view = ledger.history.now()
    const contracts = await ledger.list('/contracts?limit=100&order=asc', 'contracts')
    const known = [...view.rows('entities')].filter(([, { type }]) => type === 'CONTRACT').map(([num]) => Number(num))
    expect(contracts.map(({ contract_id: id }: Json) => id)).toEqual(
      known.sort((a, b) => a - b).map((num) => `0.0.${num}`),
    )
    const listed = await ledger.list('/contracts/results?internal=true&limit=100&order=asc', 'results')
    const executed = listed.filter(({ contract_id: id, gas_used: gas }: Json) => id !== null && gas !== null)
    const results: Json[] = []
    for (const { contract_id: id, timestamp } of executed)
      results.push(await ledger.ask(`/contracts/${id}/results/${timestamp}`))
    const storage = storageAfter(results)
    expect(storage.size).toBeGreaterThan(0)
    for (const [contract, slots] of storage) {
      const state = await ledger.list(`/contracts/${contract}/state?limit=100`, 'state')
      expect({ contract, slots: state.map(({ slot, value }: Json) => [slot, value]) }).toEqual({
        contract,
        slots: [...slots].sort(([a], [b]) => (a < b ? -1 : 1)),
      })
      const { bytecode, deleted, evm_address: address } = await ledger.ask(`/contracts/${contract}`)
      // The network makes contracts of any file, also of one with plain text.
      expect(bytecode).not.toBe('0x')
      // The address of a deleted one is nobody's.
      if (!deleted) expect(await ledger.ask(`/contracts/${address}`)).toMatchObject({ contract_id: contract })
    }
  })

  it('stores what contracts wrote, now and at any instant', { timeout: timeoutMs }, async () => {
    const expected = expectedStorage(ledger.history.now())
    expect(expected.size).toBeGreaterThan(10)
    for (const [contract, slots] of expected) {
      const state = await ledger.list(`/contracts/${contract}/state?limit=100`, 'state')
      expect({ contract, slots: state.map(pairOf) }).toEqual({ contract, slots })
    }
    for (const time of past) {
      for (const [contract, slots] of some([...expectedStorage(ledger.history.at(time))]).slice(0, 5)) {
        const path = `/contracts/${contract}/state?limit=100&timestamp=${timeOf(time)}`
        expect({ path, slots: (await ledger.list(path, 'state')).map(pairOf) }).toEqual({ path, slots })
      }
    }
  })

  it('knows who has what of a token that is a contract, by its logs and by its storage', {
    timeout: timeoutMs,
  }, async () => {
    const tokens = expectedContractTokens(ledger.history.now())
    expect([...tokens.values()].filter((holders) => holders.size > 3).length).toBeGreaterThan(2)
    for (const [contract, holders] of tokens) {
      const logs = await ledger.list(`/contracts/${contract}/results/logs?limit=100&order=asc`, 'logs')
      expect({ contract, held: heldByLogs(logs) }).toEqual({ contract, held: holders })
      const state = await ledger.list(`/contracts/${contract}/state?limit=100`, 'state')
      const stored = new Map(state.map(pairOf))
      const found = [...holders.keys()].map((holder) => [holder, BigInt(stored.get(balanceSlot(holder)) ?? 0)])
      expect({ contract, found }).toEqual({ contract, found: [...holders] })
    }
  })

  it('finds Ethereum transactions of every type by their hashes, whatever became of them', {
    timeout: timeoutMs,
  }, async () => {
    const transactions = [...ledger.history.now().rows('ethereum')]
    const kinds = new Set(transactions.map(([, { type, chainId }]) => `${type} on ${chainId ?? 'any'}`))
    expect([...kinds].sort()).toEqual(['0 on 298', '0 on any', '1 on 298', '2 on 298', '4 on 298'])
    expect(new Set(transactions.map(([, { result }]) => result)).size).toBeGreaterThan(3)
    for (const [hash, facts] of transactions) {
      // An attempt with a wrong nonce leaves the hash to the one with the right one.
      const found = await ledger.ask(
        `/contracts/results/0x${hash}`,
        ...(facts.result === 'WRONG_NONCE' ? [404] : [200, 206]),
      )
      if (facts.result !== 'WRONG_NONCE') expect(found).toMatchObject(expectedEthereum(hash, facts))
    }
  })

  it('names every contract in the result that made it, and what code it runs', { timeout: timeoutMs }, async () => {
    const results = await ledger.list('/contracts/results?internal=true&limit=100&order=asc', 'results')
    const created = new Set(results.flatMap(({ created_contract_ids: ids }: Json) => ids))
    const contracts = await ledger.list('/contracts?limit=100&order=asc', 'contracts')
    expect([...created].sort()).toEqual(contracts.map(({ contract_id: id }: Json) => id).sort())
    const codes = (['token', 'market', 'factory', 'teller'] as const).map((code) =>
      codeOf(code).runtime.toString('hex'),
    )
    const seen = new Set<string>()
    for (const { contract_id: id } of contracts) {
      const { runtime_bytecode: code } = await ledger.ask(`/contracts/${id}`)
      expect(codes).toContain(code.slice(2))
      seen.add(code)
    }
    expect(seen.size).toBe(codes.length)
  })
})

/** How many units of a token a transaction makes, or takes away; who leaves a deleted collection changes no supply. */
function unitsMade({ token_transfers: units, nft_transfers: nfts }: Json, token: string): bigint {
  const moved = units.filter(({ token_id: id }: Json) => id === token).map(({ amount }: Json) => BigInt(amount))
  const serials = nfts.filter(({ token_id: id, serial_number: serial }: Json) => id === token && serial > 0)
  const made = serials.map(({ sender_account_id: from, receiver_account_id: to }: Json) =>
    from === null ? 1n : to === null ? -1n : 0n,
  )
  return [...moved, ...made].reduce((sum, each) => sum + each, 0n)
}

function pairOf({ slot, value }: Json): [slot: string, value: string] {
  return [slot, value]
}

function slotOf({ key, value }: Json): string {
  return `${key} ${value}`
}

function expectedSlot([key, { value }]: readonly [string, { readonly value: string }]): string {
  return `0x${key.split('/')[2]} 0x${value.padStart(64, '0')}`
}
