import { schedulesSchema } from '#projections/schedules/schema.ts'
import type { QueryContext } from '#queries/common/route.ts'

/** What schedules are read from. */
export const scheduleReads = { schedules: schedulesSchema }

export type ScheduleContext = QueryContext<typeof scheduleReads>
