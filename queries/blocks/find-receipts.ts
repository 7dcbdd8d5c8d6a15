import type { contractLogsSchema } from '#projections/contract-logs/schema.ts'
import type { shownBlockReads } from '#queries/blocks/reads.ts'
import type { QueryContext } from '#queries/common/route.ts'
import { noReceiptsRoot } from '#src/domain/receipts-root.ts'
import type { RowsAt } from '#src/ports/read-store.ts'

/** What there is to say of the receipts of a block, in hex digits. */
export interface BlockReceipts {
  /** Of all logs, those that were made for what tokens did included; null where the recorded one has them all. */
  readonly bloom: string | null
  /** null: it is not known. */
  readonly root: string | null
}

const noRoot = noReceiptsRoot.toString('hex')
const unknown: BlockReceipts = { bloom: null, root: null }

/** Of blocks, which end at different times. While there are no contract logs nothing is known. */
export async function findReceipts(
  blocks: readonly { readonly consensusEnd: bigint }[],
  { rows }: QueryContext<typeof shownBlockReads>,
): Promise<BlockReceipts[]> {
  const logs: RowsAt<typeof contractLogsSchema> | undefined = rows['contract-logs']
  if (logs === undefined) return blocks.map(() => unknown)
  const keys = blocks.map(({ consensusEnd }) => [consensusEnd] as const)
  const found = await logs.get('blockReceipts', keys, ['bloom', 'root'])
  return found.map((row) => ({ bloom: row?.bloom ?? null, root: row?.root ?? noRoot }))
}
