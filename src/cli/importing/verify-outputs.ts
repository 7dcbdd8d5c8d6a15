import type { Engines } from '#src/cli/engines.ts'
import { withLog } from '#src/cli/importing/import-deployment.ts'
import { type PublishedName, publishedNames, typesOn } from '#src/events/event-types.ts'
import type { MessageLog, StoredRecord } from '#src/ports/message-log.ts'
import { isOutputDamage, outputRepair } from '#src/runtime/outputs/output-log.ts'

const countMax = 10_000
const bytesMax = 4 << 20

/** What was looked at of one output. */
export interface VerifiedOutput {
  readonly topic: PublishedName
  /** Its folder or topic. */
  readonly name: string
  /** Events up to its end, or to what is wrong. */
  readonly events: number
  /** undefined where it holds. */
  readonly fault: { readonly reason: string; readonly repair: string } | undefined
}

export interface VerifyOutputsOptions {
  readonly engines: Engines
  readonly generation: number
  readonly signal: AbortSignal
  readonly onProgress: (topic: PublishedName, position: number, head: number) => void
}

/** Reads what was published of a log generation, by read models and as copies, from its beginning to its end. What was never published is left out. */
export async function verifyOutputs({
  engines,
  generation,
  signal,
  onProgress,
}: VerifyOutputsOptions): Promise<readonly VerifiedOutput[]> {
  const verified: VerifiedOutput[] = []
  for (const topic of publishedNames) {
    if (!(await engines.hasLog(generation, topic))) continue
    const name = engines.logName(generation, topic)
    let events = 0
    const look = async (log: MessageLog): Promise<string | undefined> => {
      const faultOf = orderOf(topic)
      for await (const { records, head } of log.read({ after: 0, countMax, bytesMax, follow: false, signal })) {
        const fault = faultOf(records)
        if (fault !== undefined) return fault
        events += records.length
        onProgress(topic, events, head)
      }
      const { sequence } = await log.head()
      return events < sequence && !signal.aborted ? `it ends with event ${events}, not with ${sequence}` : undefined
    }
    const reason = await withLog({ engines }, generation, look, topic).catch((error: unknown) => {
      if (isOutputDamage(error)) return String(error.details['reason'])
      throw error
    })
    const fault = reason === undefined ? undefined : { reason, repair: outputRepair(name) }
    verified.push({ topic, name, events, fault })
  }
  return verified
}

/** Says of records, one list after the other, what cannot be: another type, or a time before that of the one before. */
function orderOf(topic: PublishedName): (records: readonly StoredRecord[]) => string | undefined {
  const types = typesOn(topic)
  let before: bigint | undefined
  return (records) => {
    for (const { sequence, type, time } of records) {
      if (!types.includes(type)) return `event ${sequence} is a ${type}`
      if (before !== undefined && time < before)
        return `event ${sequence} is of a time before that of the one before it`
      before = time
    }
    return undefined
  }
}
