import type { FoundSchedule } from '#queries/schedules/find-schedules.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'

/** JSON text of a schedule. */
export function renderSchedule({ head, deleted, executed, rest }: FoundSchedule): string {
  const time = executed === null ? 'null' : `"${formatLedgerTime(executed)}"`
  return `{${head},"deleted":${deleted !== null},"executed_timestamp":${time},${rest}}`
}
