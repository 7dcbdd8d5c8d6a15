import { LedgerError } from '#src/domain/errors.ts'
import type { ControlStore } from '#src/ports/control-store.ts'

export interface FoundLogs {
  /** Generations that have a log, ascending. */
  readonly list: () => Promise<readonly number[]>
  /** What a person calls the log of one. */
  readonly nameOf: (generation: number) => string
  /** What a person calls the place where the plan is kept. */
  readonly planIn: string
}

/**
 * Throws `plan_lost` where a store knows nothing at all although a second generation of the log was written: which one serves was
 * said there alone, so whoever went on would begin anew beside them.
 */
export async function assertPlanKnown(control: ControlStore, { list, nameOf, planIn }: FoundLogs): Promise<void> {
  if ((await control.get('plan')) !== undefined || (await control.list('')).length > 0) return
  const generations = await list()
  if (!generations.some((generation) => generation > 1)) return
  const found = generations.map((generation) => `generation ${generation} in ${nameOf(generation)}`).join(', ')
  const message = `No plan is known in ${planIn}, but logs lie there that only a plan can tell apart: ${found}; bring the plan back from a copy, or say which one serves with "ledger-history import promote <generation> --without-plan"`
  throw new LedgerError('plan_lost', message, { generations })
}
