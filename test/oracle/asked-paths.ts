import type { Json } from '#test/oracle/simulated-ledger.ts'

/** Requests of every endpoint, about what a service answers to lists. */
export async function pathsOf(ask: (path: string) => Promise<Json>): Promise<string[]> {
  const list = async (path: string, name: string): Promise<Json[]> => (await ask(path))[name]
  const accounts = await list('/accounts?order=desc&limit=100', 'accounts')
  const tokens = await list('/tokens?order=desc&limit=60', 'tokens')
  const contracts = await list('/contracts?limit=25', 'contracts')
  const schedules = await list('/schedules?order=desc&limit=25', 'schedules')
  const results = await list('/contracts/results?limit=60', 'results')
  const logs = await list('/contracts/results/logs?limit=40', 'logs')
  const transactions = await list('/transactions?limit=100', 'transactions')
  const messages = await list('/transactions?transactiontype=CONSENSUSSUBMITMESSAGE&limit=25', 'transactions')
  const mints = await list('/transactions?transactiontype=TOKENMINT&limit=25', 'transactions')
  const listed = await list('/blocks?limit=40', 'blocks')
  const moved = transactions.flatMap(({ transfers }) => transfers.map(({ account }: Json) => account))
  const ids = unique([...unique(moved).slice(0, 50), ...accounts.slice(0, 30).map(({ account }) => account)])
  const names = accounts.flatMap(({ evm_address, alias }) => [evm_address, alias]).filter((name) => name !== null)
  const keys = unique(accounts.map(({ key }) => key?.key)).slice(0, 25)
  const times = transactions.filter((_, at) => at % 10 === 0).map((each) => each.consensus_timestamp)
  const collections = unique(mints.map(({ entity_id: id }) => id))
  const page = (path: string): string[] => [
    path,
    `${path}?limit=100`,
    `${path}?order=asc&limit=3`,
    `${path}?order=desc&limit=3`,
  ]
  return unique([
    ...['/accounts', '/tokens', '/contracts', '/blocks', '/transactions', '/schedules', '/balances'].flatMap(page),
    ...['/contracts/results', '/contracts/results/logs', '/network/nodes', '/network/registered-nodes'].flatMap(page),
    ...['/network/supply', '/network/stake', '/network/fees', '/network/exchangerate', '/network/accounts'],
    ...keys.flatMap((key) => [
      `/accounts?account.publickey=${key}`,
      `/tokens?publickey=${key}`,
      `/balances?account.publickey=${key}`,
    ]),
    ...['gt:0', 'lt:1000000000', 'gte:100000000000'].map((balance) => `/accounts?account.balance=${balance}&limit=100`),
    ...['NON_FUNGIBLE_UNIQUE', 'FUNGIBLE_COMMON'].flatMap((type) =>
      page('/tokens').map((path) => `${path}${path.includes('?') ? '&' : '?'}type=${type}`),
    ),
    ...names.slice(0, 40).map((name) => `/accounts/${name}`),
    ...ids.flatMap((id) => [
      `/accounts/${id}`,
      `/accounts/${id}?timestamp=${times[0]}`,
      `/accounts?account.id=${id}`,
      `/balances?account.id=${id}`,
      `/tokens?account.id=${id}`,
      `/transactions?account.id=${id}`,
      `/schedules?account.id=${id}`,
      `/contracts/results?from=${id}`,
      ...['balances', 'rewards', 'tokens', 'nfts', 'hooks', 'allowances/crypto', 'allowances/tokens'].map(
        (what) => `/accounts/${id}/${what}?limit=100`,
      ),
      ...['airdrops/outstanding', 'airdrops/pending', 'allowances/nfts', 'allowances/nfts?owner=false'].map(
        (what) => `/accounts/${id}/${what}`,
      ),
      ...[1, 2, 3].map((hook) => `/accounts/${id}/hooks/${hook}/storage?limit=100`),
    ]),
    ...tokens.flatMap(({ token_id: id, name }) => [
      `/tokens/${id}`,
      `/tokens?token.id=gte:${id}`,
      `/tokens?name=${encodeURIComponent(String(name).slice(0, 4))}&limit=100`,
      `/tokens/${id}/holders`,
      `/tokens/${id}/balances?limit=100`,
      `/tokens/${id}/nfts?limit=100`,
      `/transactions?token.id=${id}`,
    ]),
    ...collections.flatMap((id) =>
      [1, 2, 3, 5, 8, 13].flatMap((serial) => [
        `/tokens/${id}/nfts/${serial}`,
        `/tokens/${id}/nfts/${serial}/transactions`,
      ]),
    ),
    ...ids.flatMap((id) => tokens.slice(0, 4).map(({ token_id: token }) => `/tokens/${token}/nfts?account.id=${id}`)),
    ...contracts.flatMap(({ contract_id: id }) => [
      `/contracts/${id}`,
      `/contracts/${id}/state?limit=100`,
      `/contracts/${id}/results`,
      `/contracts/${id}/results/logs`,
    ]),
    ...schedules.map(({ schedule_id: id }) => `/schedules/${id}`),
    ...results.flatMap(({ hash, contract_id: id, timestamp }) => [
      `/contracts/results/${hash}`,
      `/contracts/results/${hash}/actions`,
      `/contracts/${id}/results/${timestamp}`,
    ]),
    ...logs.map(({ contract_id: id, topics }) => `/contracts/${id}/results/logs?topic0=${topics[0]}`),
    ...messages.flatMap(({ entity_id: id, consensus_timestamp: time }) => [
      `/topics/${id}`,
      ...page(`/topics/${id}/messages`),
      `/topics/${id}/messages/1`,
      `/topics/messages/${time}`,
    ]),
    ...transactions.flatMap(({ transaction_id: id }) => [`/transactions/${id}`]),
    ...listed.flatMap(({ number, hash }) => [
      `/blocks/${number}`,
      `/blocks/${hash}`,
      `/contracts/results?block.number=${number}`,
    ]),
    ...times.flatMap((time) => [
      `/transactions?timestamp=lte:${time}`,
      `/balances?timestamp=${time}`,
      `/network/supply?timestamp=${time}`,
      `/contracts/results?timestamp=lte:${time}`,
      `/network/exchangerate?timestamp=${time}`,
    ]),
  ])
}

export function unique(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined && value !== null))]
}
