import { entityIdColumn } from '#queries/common/entity-id-parameter.ts'
import { notFound } from '#queries/common/errors.ts'
import { nextLink } from '#queries/common/links.ts'
import { listBody } from '#queries/common/list-body.ts'
import { lastValue, pageSize } from '#queries/common/parameters.ts'
import { type Answer, defineRoute, type NoParameters, type QueryRequest } from '#queries/common/route.ts'
import { scheduleListSchema, scheduleSchema } from '#queries/schedules/body-schema.ts'
import { type DatedSchedule, findSchedule, findSchedules } from '#queries/schedules/find-schedules.ts'
import { scheduleParameters, schedulePath } from '#queries/schedules/params.ts'
import { type ScheduleContext, scheduleReads } from '#queries/schedules/reads.ts'
import { renderSchedule } from '#queries/schedules/render.ts'
import { nanosPerSecond } from '#src/domain/ledger-time.ts'

const listRoute = defineRoute({
  path: '/schedules',
  summary: 'List schedules, whether or not they ran',
  tag: 'schedules',
  parameters: scheduleParameters,
  maxAge: 10,
  body: scheduleListSchema,
  answers: [{ reads: scheduleReads, answer: answerList }],
})

async function answerList(
  { path, query, filters }: QueryRequest<typeof scheduleParameters>,
  context: ScheduleContext,
): Promise<Answer> {
  const { settings } = context
  const found = await findSchedules(filters, context)
  const last = found.at(-1)
  const full = last !== undefined && found.length === pageSize(filters.limit, settings)
  const order = lastValue(filters.order) ?? 'asc'
  const columns = last ? [entityIdColumn('schedule.id', last.id, settings)] : []
  const next = full ? nextLink({ path, query, order, columns }) : null
  return { body: listBody('schedules', found.map(renderSchedule), next), next }
}

const detailRoute = defineRoute({
  path: '/schedules/:scheduleid',
  pathParameters: schedulePath,
  summary: 'Get a schedule',
  tag: 'schedules',
  family: 'A-exact',
  parameters: {},
  maxAge: 1,
  body: scheduleSchema,
  answers: [{ reads: scheduleReads, answer: answerDetail }],
})

async function answerDetail(
  { params }: QueryRequest<NoParameters, typeof schedulePath>,
  context: ScheduleContext,
): Promise<Answer> {
  const found = await findSchedule(params.scheduleid, context)
  if (found === undefined) throw notFound()
  const body = renderSchedule(found)
  if (isOver(found)) return { body, maxAge: settledMaxAge }
  return { body, dependsOnClock: true, ...(isExpired(found, context.now) && { maxAge: settledMaxAge }) }
}

/** Life time of an answer that nothing will change any more, in seconds. */
const settledMaxAge = 3600
/** How long after its expiry a schedule may still run. */
const grace = 60n * nanosPerSecond
/** When it expires where its creation leaves that to the network, the grace included. */
const longestWait = 31n * 60n * nanosPerSecond

function isOver({ executed, deleted }: DatedSchedule): boolean {
  return executed !== null || deleted !== null
}

function isExpired({ created, expiration }: DatedSchedule, now: bigint): boolean {
  return expiration === null ? now - created >= longestWait : now - expiration >= grace
}

export const scheduleRoutes = [listRoute, detailRoute]
