/**
 * Microseconds of CPU that an event costs each read model of the ledger, as `npm run bench -- --stages project` measured them
 * over its mix of transactions: what lanes are balanced by until a deployment has measured its own.
 */
export const usualFoldCosts: ReadonlyMap<string, number> = new Map([
  ['balances', 26],
  ['transactions', 24],
  ['contract-logs', 11],
  ['entities', 7],
  ['staking', 7],
  ['contract-results', 6],
  ['hooks', 5],
  ['nfts', 5],
  ['contracts', 4.5],
  ['allowances', 4],
  ['tokens', 4],
  ['airdrops', 3.5],
  ['network', 3],
  ['topics', 3],
  ['schedules', 2],
  ['network-files', 1.5],
  ['blocks', 0.5],
])
