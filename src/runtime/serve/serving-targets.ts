import { LedgerError } from '#src/domain/errors.ts'
import {
  decisionsGeneration,
  instanceId,
  isFilling,
  type Plan,
  schemaOfInstance,
  servingInstance,
} from '#src/operations/plan.ts'
import type { ProjectionSchema, RowsOrigin } from '#src/ports/read-store.ts'

/** What this code can answer from. */
export interface Answerable {
  /** The versions that this code can answer from. */
  readonly schemas: readonly ProjectionSchema[]
  /** Names of those among them that are made from decisions; the others are made from the ledger's log. */
  readonly ofDecisions?: ReadonlySet<string>
}

/** An instance that the plan says is to serve. */
export interface Target {
  readonly name: string
  readonly id: string
  readonly generation: number
  /** undefined: this code has no routes for the version that is to serve. */
  readonly schema: ProjectionSchema | undefined
  /** Of an older version than this code answers from. */
  readonly outdated: boolean
  readonly filling: boolean
  /** Mark of the rows that were near the end of the log; undefined where nobody has told. */
  readonly rows: string | undefined
}

/** What is to serve; a read model that no plan knows yet begins with the newest version there is code for. */
export function targetsOf(plan: Plan, { schemas, ofDecisions }: Answerable): Target[] {
  const names = [...new Set(schemas.map(({ name }) => name))]
  return names.map((name) => {
    const versions = schemas.filter((schema) => schema.name === name)
    const newest = Math.max(...versions.map(({ version }) => version))
    const generation = ofDecisions?.has(name) ? decisionsGeneration : plan.generation
    const instance = servingInstance(plan, name) ?? { version: newest, build: 1, generation }
    const schema = versions.find(({ version }) => version === instance.version)
    return {
      name,
      id: instanceId(instance),
      generation: instance.generation,
      filling: isFilling(plan, name),
      rows: plan.readModels[name]?.instances[instanceId(instance)]?.rows,
      outdated: instance.version < newest,
      schema: schema === undefined ? undefined : schemaOfInstance(schema, instance),
    }
  })
}

/** Whether other rows are there than those that were near the end of the log, or none. */
export function isLost({ rows, filling }: Target, origin: RowsOrigin | undefined): boolean {
  if (filling) return false
  return rows === undefined ? origin === undefined : origin?.mark !== rows
}

/** What an operator is told where this code has no routes for what is to serve. */
export function unknownVersions(unknown: readonly Target[]): LedgerError {
  const named = unknown.map(({ name, id }) => `${name} ${id}`).join(', ')
  const outdated = unknown
    .filter((target) => target.outdated)
    .map(({ name }) => `"ledger-history projections rebuild ${name}"`)
  const step =
    outdated.length === unknown.length
      ? `build what it can with ${outdated.join(', ')} and promote that, or deploy the code of before`
      : 'deploy the code that can, or run "ledger-history projections rollback"'
  return new LedgerError('version_unknown', `${named} should serve, which this code cannot answer from; ${step}`, {
    unknown: named,
  })
}
