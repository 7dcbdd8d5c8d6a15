import { pathsOf } from '#test/oracle/asked-paths.ts'
import type { Json } from '#test/oracle/simulated-ledger.ts'

export interface ListedBlock {
  readonly number: number
  readonly name: string
  readonly count: number
  readonly timestamp: { readonly from: string; readonly to: string }
}

export function newestBlock(body: string): ListedBlock | undefined {
  return (JSON.parse(body) as { blocks: ListedBlock[] }).blocks[0]
}

/** What answers say of a block: pages that name no newer one, so that the same is answered ever after. */
export function blockPages({ number, timestamp: { from, to } }: ListedBlock): string[] {
  const within = `timestamp=gte:${from}&timestamp=lte:${to}&limit=100`
  return [
    `/blocks/${number}`,
    `/transactions?${within}`,
    `/contracts/results?${within}`,
    `/contracts/results/logs?${within}`,
    `/balances?timestamp=${to}&limit=100`,
    `/accounts/0.0.2?timestamp=${to}&limit=100`,
    `/network/supply?timestamp=${to}`,
    `/transactions?account.id=0.0.2&${within}`,
    `/topics/0.0.1010/messages?${within}`,
  ]
}

/** Of each kind of request. */
const perKind = 2
/** What may be of a moment later than the instant. */
const laterAllowed = [
  /publickey=/,
  /^\/accounts\/(0x[0-9a-f]{40}|[A-Z2-7]{20,})$/,
  /^\/accounts\/[0-9.]+\/(rewards|tokens)\b/,
]

/** All lists and details as they are now, a few of each kind. */
export async function tipPages(ask: (path: string) => Promise<Json>): Promise<string[]> {
  const counts = new Map<string, number>()
  return (await pathsOf(ask)).filter((path) => {
    const kind = path.replaceAll(/0x[0-9a-f]+|[0-9.-]{2,}|\b\d\b|[A-Z2-7]{20,}|(?<=name=)[^&]+/g, '_')
    const count = counts.get(kind) ?? 0
    counts.set(kind, count + 1)
    return count < perKind && !laterAllowed.some((allowed) => allowed.test(path))
  })
}
