import { type FoundBlock, findBlockAfter, findBlockByHash, findBlockByNumber } from '#queries/blocks/find-blocks.ts'
import type { ResultContext } from '#queries/contract-results/reads.ts'
import { parseLedgerTime } from '#src/domain/ledger-time.ts'

/** What results show of their block. */
export interface ResultBlock {
  readonly number: bigint
  /** 0x and hex digits. */
  readonly hash: string
  /** Digits, or null where it is unknown. */
  readonly gasUsed: string
  /** Consensus times of the first and last transaction, ns. */
  readonly start: bigint
  readonly end: bigint
}

/** A block is looked for at most so long after a transaction, ns. */
const blockWithin = 10_000_000_000n

/** The blocks of results, in the order of their times, by time; a result that is in no block yet has none. */
export async function findResultBlocks(
  times: readonly bigint[],
  context: ResultContext,
): Promise<ReadonlyMap<bigint, ResultBlock>> {
  const blocks = new Map<bigint, ResultBlock>()
  let known: ResultBlock | undefined
  for (const time of times) {
    if (known === undefined || time < known.start || time > known.end) {
      const found = await findBlockAfter(time, context)
      known = found && resultBlock(found)
    }
    if (known && known.end - time <= blockWithin) blocks.set(time, known)
  }
  return blocks
}

/** The block that a request names by number or by the first digits of its hash. */
export async function findNamedBlock(
  { hash, number }: { readonly hash: string | undefined; readonly number: bigint | undefined },
  context: ResultContext,
): Promise<ResultBlock | undefined> {
  const found =
    number === undefined ? await findBlockByHash(hash ?? '', context) : await findBlockByNumber(number, context)
  return found && resultBlock(found)
}

const shown = /"gas_used":(null|\d+).*"hash":"(0x[0-9a-f]*)".*"timestamp":\{"from":"([\d.]+)"/

/** From the JSON text of the block, as the blocks read model keeps it. */
function resultBlock({ number, consensusEnd: end, body }: FoundBlock): ResultBlock {
  const [, gasUsed = 'null', hash = '0x', from = '0'] = shown.exec(body) ?? []
  return { number, hash, gasUsed, start: parseLedgerTime(from) ?? end, end }
}
