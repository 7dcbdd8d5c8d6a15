/** One endpoint of most read models, which both releases have. */
export const askedPaths = [
  '/api/v1/blocks?limit=2',
  '/api/v1/transactions?limit=3',
  '/api/v1/accounts?limit=2',
  '/api/v1/balances?limit=2',
  '/api/v1/tokens?limit=2',
  '/api/v1/contracts/results?limit=2',
  '/api/v1/contracts/results/logs?limit=2',
  '/api/v1/network/nodes?limit=2',
] as const

export function inTurns(): () => string {
  let turn = 0
  return () => askedPaths[turn++ % askedPaths.length]!
}
