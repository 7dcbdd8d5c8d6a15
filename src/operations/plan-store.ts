import { LedgerError } from '#src/domain/errors.ts'
import { emptyPlan, type Plan, planFromText, planToText } from '#src/operations/plan.ts'
import type { ControlStore } from '#src/ports/control-store.ts'

const documentName = 'plan'
/** Lost races in a row before an operation gives up: each means that another operation succeeded. */
const attemptsMax = 20

/** The plan in force; an empty one before the first process ran here. */
export async function readPlan(control: ControlStore): Promise<Plan> {
  const document = await control.get(documentName)
  return document === undefined ? emptyPlan : planFromText(document.text)
}

/**
 * Replaces the plan by what a decision makes of it, which is asked again when another process was faster. A decision that
 * returns the same object changes nothing. Resolves to the plan in force after it.
 */
export async function changePlan(control: ControlStore, decide: (plan: Plan) => Plan): Promise<Plan> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const document = await control.get(documentName)
    const plan = document === undefined ? emptyPlan : planFromText(document.text)
    const next = decide(plan)
    if (next === plan || (await control.put(documentName, planToText(next), document?.revision ?? 0))) return next
  }
  throw new LedgerError('operation_refused', `The plan was changed by others ${attemptsMax} times in a row; try again`)
}
