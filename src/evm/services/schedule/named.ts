import { type HexAddress, numberOf } from '#src/evm/addresses.ts'
import type { ScheduleFacts } from '#src/evm/schedule-facts.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { Failed, type FailureShape } from '#src/evm/services/failed.ts'

/** The schedule of an address; undefined where none is, or where it came to its end without running. */
export async function scheduleAt(call: ServiceCall, address: HexAddress): Promise<ScheduleFacts | undefined> {
  const number = numberOf(address)
  return number === undefined ? undefined : scheduleOf(call, number)
}

async function scheduleOf(call: ServiceCall, id: bigint): Promise<ScheduleFacts | undefined> {
  const [entity, schedule, { timestamp }] = await Promise.all([
    call.world.entityOf(id),
    call.schedules.schedule(id),
    call.evm.ledger.block(),
  ])
  const isOver = schedule !== undefined && schedule.end === undefined && schedule.expirySeconds <= timestamp
  return entity?.kind === 'schedule' && !isOver ? schedule : undefined
}

/** The same where it has to be there: the first argument names it, or its address was called. */
export async function scheduleNamed(call: ServiceCall, shape: FailureShape): Promise<ScheduleFacts> {
  const schedule =
    call.about === undefined ? await scheduleAt(call, call.address(0)) : await scheduleOf(call, call.about)
  if (schedule === undefined) throw new Failed('INVALID_SCHEDULE_ID', { shape })
  return schedule
}

/** What has come to its end is not changed any more. */
export function assertOpen({ end }: ScheduleFacts): void {
  if (end === 'executed') throw new Failed('SCHEDULE_ALREADY_EXECUTED')
  if (end === 'deleted') throw new Failed('SCHEDULE_ALREADY_DELETED')
}
