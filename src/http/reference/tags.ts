/** Groups of operations, in the order in which the page shows them: the ledger first, the health of this service last. */
export const tags = [
  { name: 'transactions', description: 'What happened, in the order of consensus' },
  { name: 'blocks', description: 'What the network signed together' },
  { name: 'accounts', description: 'Who takes part: accounts, what they allowed others, and their hooks' },
  { name: 'balances', description: 'Who held how much, at any instant' },
  { name: 'tokens', description: 'Fungible tokens and NFTs' },
  { name: 'airdrops', description: 'Tokens that wait to be claimed' },
  { name: 'topics', description: 'Messages in the order of consensus' },
  { name: 'schedules', description: 'Transactions that wait for signatures' },
  { name: 'contracts', description: 'Contracts: calls, results, logs, state, and calls that change nothing' },
  { name: 'network', description: 'Nodes, supply, stake, exchange rates and fees' },
  { name: 'verification', description: 'Sources of contracts, and whether they are what runs' },
  { name: 'status', description: 'The status page: incidents, maintenances, uptime' },
  { name: 'health', description: 'Of this process, for supervisors and dashboards' },
] as const
