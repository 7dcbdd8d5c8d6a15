import type { ResultRow } from '#projections/contract-results/schema.ts'
import { notFound } from '#queries/common/errors.ts'
import { Refusal } from '#queries/common/parameters.ts'
import type { PathParameter } from '#queries/common/path-parameters.ts'
import type { QueryContext } from '#queries/common/route.ts'
import { callReads } from '#queries/contract-calls/reads.ts'
import { findResult, findTimesOfId } from '#queries/contract-results/find-result.ts'
import { type ResultKey, resultPath } from '#queries/contract-results/params.ts'
import { resultReads } from '#queries/contract-results/reads.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

/** What it takes to find a transaction and to run it again. */
export const replayReads = { ...resultReads, ...callReads }

export type ReplayContext = QueryContext<typeof replayReads>

interface NamedKey {
  readonly key: ResultKey
  readonly text: string
}

export const replayPath: { readonly transactionIdOrHash: PathParameter<NamedKey> } = {
  transactionIdOrHash: {
    ...resultPath.transactionIdOrHash,
    parse: (text, settings) => {
      if (text.trim() === '') return new Refusal('Missing transaction ID or hash')
      const key = resultPath.transactionIdOrHash.parse(text, settings)
      if (key === undefined || key instanceof Refusal) return new Refusal(`Unsupported ID format: '${text}'`)
      return { key, text }
    },
  },
}

/** Throws `not_found` in the words that established clients know. */
export async function getReplayed({ key, text }: NamedKey, context: ReplayContext): Promise<ResultRow> {
  const row = await findResult(key, 0, context)
  if (row !== undefined) return row
  if (key.kind === 'hash') throw notFound(`Contract transaction hash not found: ${text}`)
  const [time] = await findTimesOfId(key, 0, context)
  throw notFound(
    time === undefined ? `Transaction not found: ${text}` : `Contract result not found: ${formatLedgerTime(time)}`,
  )
}
