import { type Deployment, projectionOf } from '#src/cli/verbs/projections/deployment.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { instancesOf, type NamedInstance } from '#src/operations/plan.ts'
import { readPlan } from '#src/operations/plan-store.ts'
import { type AnyProjection, projectionOfInstance } from '#src/runtime/fold/projection.ts'

export interface FoundInstance {
  readonly instance: NamedInstance
  /** Its fold, writing to where its rows are. */
  readonly projection: AnyProjection
}

/** An instance of the plan, the serving one unless an id is given. Throws `operation_refused` where there is none. */
export async function findInstance(
  deployment: Deployment,
  name: string,
  id: string | undefined,
): Promise<FoundInstance> {
  const all = instancesOf(await readPlan(deployment.control))
  const own = all.filter((instance) => instance.name === name)
  const instance = own.find((each) => (id === undefined ? each.serving : each.id === id))
  if (instance === undefined) throw new LedgerError('operation_refused', absence(name, id, all, own))
  return { instance, projection: projectionOfInstance(projectionOf(deployment, name, instance.version), instance) }
}

function absence(
  name: string,
  id: string | undefined,
  all: readonly NamedInstance[],
  own: readonly NamedInstance[],
): string {
  if (all.length === 0) return 'No read model was built here yet; run "ledger-history project" first'
  if (own.length === 0)
    return `There is no read model ${name}; there are ${[...new Set(all.map((each) => each.name))].join(', ')}`
  return `There is no ${name} v${id}; there are ${own.map((each) => `v${each.id}`).join(', ')}`
}
