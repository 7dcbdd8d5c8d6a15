import { notFound } from '#queries/common/errors.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import { defineRoute } from '#queries/common/route.ts'
import { type FoundSchedule, findSchedule, findSchedules } from '#queries/schedules/find-schedules.ts'
import { scheduleParameters, schedulePath } from '#queries/schedules/params.ts'
import { scheduleReads } from '#queries/schedules/reads.ts'
import { scheduleObject } from '#queries/schedules/render.ts'
import { nanosPerSecond } from '#src/domain/ledger-time.ts'

const listRoute = defineListRoute({
  path: '/schedules',
  summary: 'List schedules, whether or not they ran',
  tag: 'schedules',
  parameters: scheduleParameters,
  maxAge: 10,
  item: scheduleObject.schema,
  reads: scheduleReads,
  list: 'schedules',
  find: findSchedules,
  render: scheduleObject.render,
  position: ({ id }) => ({ 'schedule.id': id }),
})

const detailRoute = defineRoute({
  path: '/schedules/:scheduleid',
  pathParameters: schedulePath,
  summary: 'Get a schedule',
  tag: 'schedules',
  dialect: 'A-exact',
  parameters: {},
  maxAge: 1,
  body: scheduleObject.schema,
  reads: scheduleReads,
  answer: async ({ params }, context) => {
    const found = await findSchedule(params.scheduleid, context)
    if (found === undefined) throw notFound()
    const body = scheduleObject.render(found)
    if (isOver(found)) return { body, maxAge: settledMaxAge }
    return { body, dependsOnClock: true, ...(isExpired(found, context.now) && { maxAge: settledMaxAge }) }
  },
})

/** Life time of an answer that nothing will change any more, in seconds. */
const settledMaxAge = 3600
/** How long after its expiry a schedule may still run. */
const grace = 60n * nanosPerSecond
/** When it expires where its creation leaves that to the network, the grace included. */
const longestWait = 31n * 60n * nanosPerSecond

function isOver({ executed, deleted }: FoundSchedule): boolean {
  return executed !== null || deleted !== null
}

function isExpired({ created, expiration }: FoundSchedule, now: bigint): boolean {
  return expiration === null ? now - created >= longestWait : now - expiration >= grace
}

export const scheduleRoutes = [listRoute, detailRoute]
