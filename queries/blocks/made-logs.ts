import { contractLogsSchema } from '#projections/contract-logs/schema.ts'
import type { Answer, ApiRoute } from '#queries/common/route.ts'
import { parseLedgerTime } from '#src/domain/ledger-time.ts'
import { uniteBlooms } from '#src/domain/log-bloom.ts'
import { type ProjectionSchema, type Rows, typedRows } from '#src/ports/read-store.ts'

/**
 * A route of blocks whose filters hold the logs that were made for what the ledger's tokens did, too. The filters of the record
 * hold none of them. Blocks are answered also while there are no contract logs, by what the record says.
 */
export function withMadeLogs(route: ApiRoute): ApiRoute {
  const answers = route.answers.flatMap((each) => {
    const reads = { ...each.reads, 'contract-logs': contractLogsSchema }
    const answer: typeof each.answer = async (request, context) =>
      united(await each.answer(request, context), context.rows['contract-logs']!)
    return [{ reads, answer }, each]
  })
  return { ...route, answers }
}

/** A block's filter and the end of its times, in the JSON text that the blocks read model keeps. */
const shownBlock = /("logs_bloom":"0x)([\da-f]*)(".*?"timestamp":\{"from":"[\d.]+","to":"([\d.]+)"\}\})/g

async function united(answer: Answer, contractLogs: Rows<ProjectionSchema>): Promise<Answer> {
  const ends = [...answer.body.matchAll(shownBlock)].map(([, , , , end = '']) => end)
  const found = await typedRows<typeof contractLogsSchema>(contractLogs).get(
    'blockBlooms',
    ends.map((end) => [parseLedgerTime(end) ?? 0n] as const),
    ['bloom'],
  )
  const blooms = new Map(ends.map((end, index) => [end, found[index]?.bloom]))
  const body = answer.body.replace(shownBlock, (text, head: string, recorded: string, tail: string, end: string) => {
    const made = blooms.get(end)
    return made ? `${head}${uniteBlooms(made, Buffer.from(recorded, 'hex')).toString('hex')}${tail}` : text
  })
  return { ...answer, body }
}
