import type { AbiValue } from '#src/evm/abi/types.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { must } from '#src/evm/services/failed.ts'
import { change, type FunctionEntry } from '#src/evm/services/function-table.ts'
import { success } from '#src/evm/services/response-numbers.ts'
import { assertOpen, scheduleNamed } from '#src/evm/services/schedule/named.ts'

const usd = 0.005

/** Who signs is not looked at, only that somebody could. */
async function remove(call: ServiceCall): Promise<readonly AbiValue[]> {
  const schedule = await scheduleNamed(call, 'told')
  must(schedule.adminKey !== null, 'SCHEDULE_IS_IMMUTABLE')
  assertOpen(schedule)
  call.schedules.set({ ...schedule, end: 'deleted' })
  return [success]
}

/** What keeps a schedule from running. */
export const deletionFunctions: readonly FunctionEntry[] = [
  change('deleteSchedule(address)', '(int64)', usd, remove),
  change('deleteSchedule()', '(int64)', usd, remove, { isFacade: true }),
]
