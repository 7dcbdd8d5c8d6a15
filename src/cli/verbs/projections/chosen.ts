import type { Deployment } from '#src/cli/verbs/projections/deployment.ts'
import { isLedgerError, LedgerError } from '#src/domain/errors.ts'
import type { Plan } from '#src/operations/plan.ts'
import { readPlan } from '#src/operations/plan-store.ts'

/**
 * The read models that a verb is for: those named, each once, or with `--all` every one of the plan that `fits`. Throws
 * `config_invalid` where both or neither is given, `operation_refused` where none fits; `what` completes "No read model ".
 */
export async function chosenNames(
  deployment: Deployment,
  names: readonly string[],
  all: boolean | undefined,
  fits: (plan: Plan, name: string) => boolean,
  what: string,
): Promise<readonly string[]> {
  if ((all === true) === names.length > 0)
    throw new LedgerError('config_invalid', 'Name the read models, or give --all for every one')
  if (all !== true) return [...new Set(names)]
  const plan = await readPlan(deployment.control)
  const chosen = Object.keys(plan.readModels).filter((name) => fits(plan, name))
  if (chosen.length > 0) return chosen
  throw new LedgerError('operation_refused', `No read model ${what}; "ledger-history projections status" lists them`)
}

/** Whether a decision could be taken; other failures are none of its business. */
export function isAllowed(decide: () => unknown): boolean {
  try {
    decide()
    return true
  } catch (error) {
    if (isLedgerError(error, 'operation_refused')) return false
    throw error
  }
}
