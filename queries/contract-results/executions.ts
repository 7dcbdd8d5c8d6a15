import type { ResultRow } from '#projections/contract-results/schema.ts'
import type { ResultContext } from '#queries/contract-results/reads.ts'
import { hexOf } from '#src/domain/bytes.ts'
import { uniteBlooms } from '#src/domain/log-bloom.ts'

type Joined = Pick<ResultRow, 'time' | 'transactionIndex' | 'bloom'>

/** Results with what their block tells of them; stated ones stay as they are. */
export async function withExecutions<R extends Joined>(results: readonly R[], { rows }: ResultContext): Promise<R[]> {
  const keys = results.map(({ time }) => [time] as const)
  const found = await rows['contract-logs'].get('executions', keys, ['transactionIndex', 'bloom'])
  return results.map((result, at) => {
    const execution = found[at]
    if (execution === undefined) return result
    const { transactionIndex, bloom } = execution
    return { ...result, transactionIndex, bloom: bloom === null ? result.bloom : united(result.bloom, bloom) }
  })
}

function united(recorded: string | null, made: Uint8Array): string {
  return hexOf(uniteBlooms(Buffer.from(recorded ?? '', 'hex'), made))
}
