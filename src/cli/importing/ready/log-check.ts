import { type Check, ok } from '#src/cli/importing/ready/check.ts'
import { hasMoved, lastBlockOf, nextNumber, type ReadyContext } from '#src/cli/importing/ready/ready-context.ts'

/** Where the log stands, which the other checks are about. */
export function checkLog(context: ReadyContext): Check {
  const last = lastBlockOf(context)
  const next = nextNumber(context)
  if (last === undefined && next === undefined) return ok('log', 'nothing was imported yet; record files come first')
  if (last === undefined) return ok('log', `nothing was imported yet; block ${next} is next`)
  const form = hasMoved(context) ? 'of the block stream' : `from the record file ${last.name}`
  return ok('log', `ends with block ${last.number}, ${form}; block ${next} is next`)
}
