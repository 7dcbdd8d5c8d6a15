import { contractLogsSchema } from '#projections/contract-logs/schema.ts'
import type { Answer, ApiRoute } from '#queries/common/route.ts'
import { parseLedgerTime } from '#src/domain/ledger-time.ts'
import { noReceiptsRoot } from '#src/domain/receipts-root.ts'
import { type ProjectionSchema, type Rows, typedRows } from '#src/ports/read-store.ts'

/**
 * A route of blocks that shows the root of their receipts, and filters that hold the logs that were made for what the ledger's
 * tokens did, too: those of the record hold none of them. Blocks are answered also while there are no contract logs, by what the
 * record says.
 */
export function withMadeLogs(route: ApiRoute): ApiRoute {
  const answers = route.answers.flatMap((each) => {
    const reads = { ...each.reads, 'contract-logs': contractLogsSchema }
    const whole: typeof each.answer = async (request, context) =>
      withReceipts(await each.answer(request, context), context.rows['contract-logs']!)
    const recorded: typeof each.answer = async (request, context) =>
      changed(await each.answer(request, context), () => ({ root: 'null' }))
    return [
      { reads, answer: whole },
      { ...each, answer: recorded },
    ]
  })
  return { ...route, answers }
}

/** A block's filter, the place of its root and the end of its times, in the JSON text that the blocks read model keeps. */
const shownBlock =
  /("logs_bloom":)("0x[\da-f]*"|null)(,"name":.*?)(,"size":(?:\d+|null),"timestamp":\{"from":"[\d.]+","to":"([\d.]+)"\}\})/g

interface Change {
  /** JSON texts; a filter that is not given stays. */
  readonly bloom?: string | undefined
  readonly root: string
}

function changed(answer: Answer, changeOf: (end: string) => Change): Answer {
  const body = answer.body.replace(
    shownBlock,
    (_block, head: string, recorded: string, middle: string, tail: string, end: string) => {
      const { bloom = recorded, root } = changeOf(end)
      return `${head}${bloom}${middle},"receipts_root":${root}${tail}`
    },
  )
  return { ...answer, body }
}

const noRoot = noReceiptsRoot.toString('hex')

async function withReceipts(answer: Answer, contractLogs: Rows<ProjectionSchema>): Promise<Answer> {
  const ends = [...answer.body.matchAll(shownBlock)].map(([, , , , , end = '']) => end)
  const found = await typedRows<typeof contractLogsSchema>(contractLogs).get(
    'blockReceipts',
    ends.map((end) => [parseLedgerTime(end) ?? 0n] as const),
    ['bloom', 'root'],
  )
  const rows = new Map(ends.map((end, place) => [end, found[place]]))
  return changed(answer, (end) => {
    const { bloom, root } = rows.get(end) ?? { bloom: null, root: null }
    return { bloom: bloom === null ? undefined : `"0x${bloom}"`, root: `"0x${root ?? noRoot}"` }
  })
}
