import type { Command } from 'commander'
import { keptProjections } from '#projections/index.ts'
import { configuredProjections } from '#src/cli/configured-projections.ts'
import { folderOf } from '#src/cli/data-folder.ts'
import { enginesOf } from '#src/cli/engines.ts'
import { nextCommand } from '#src/cli/importing/next-command.ts'
import type { VerbContext } from '#src/cli/run-verb.ts'
import { seenLogs } from '#src/cli/seen-log.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { KnownVersion } from '#src/operations/decide.ts'
import { type InstancePlan, schemaOfInstance } from '#src/operations/plan.ts'
import type { Watched } from '#src/operations/switch.ts'
import type { ControlStore } from '#src/ports/control-store.ts'
import type { MessageLog } from '#src/ports/message-log.ts'
import type { ProjectionSchema, ReadStore } from '#src/ports/read-store.ts'
import type { AnyProjection } from '#src/runtime/fold/projection.ts'

/** What an operator's verb works on: plan, read models and logs of one deployment, whichever processes run it. */
export interface Deployment {
  readonly verb: VerbContext
  readonly control: ControlStore
  readonly store: ReadStore
  /** The log of a generation, opened when it is first asked for and closed at the end of the verb. */
  log(generation: number): Promise<MessageLog>
  /** A command to run next in this deployment, as a person would type it. */
  next(verb: string): string
}

/** The versions that this code has a fold for. */
export const knownVersions: readonly KnownVersion[] = keptProjections.map(({ schema: { name, version }, source }) => ({
  name,
  version,
  source,
}))

/** Opens the deployment that the configuration names, for one verb. */
export async function withDeployment(
  verb: VerbContext,
  command: Command,
  use: (deployment: Deployment) => Promise<void>,
): Promise<void> {
  const { config, logger } = verb
  const engines = enginesOf(config, folderOf(config, undefined, 'existing'), logger)
  const stores = await engines.openStores()
  const openLog = seenLogs(engines, () => stores.controlStore)
  // The promises, since several may ask for the same one at once.
  const logs = new Map<number, Promise<MessageLog>>()
  const log = (generation: number): Promise<MessageLog> => {
    const opened = logs.get(generation) ?? openLog(generation)
    logs.set(generation, opened)
    return opened
  }
  try {
    await use({
      verb,
      control: stores.controlStore,
      store: stores.readStore,
      log,
      next: (next) => nextCommand(next, verb.loaded, command),
    })
  } finally {
    // One that could not be opened has told so to whoever asked for it.
    for (const opened of logs.values())
      await opened.then(
        (each) => each.close(),
        () => undefined,
      )
    await stores.close()
  }
}

/** The fold of a version as this deployment is configured. Throws `version_unknown` where this code has none. */
export function projectionOf({ verb }: Pick<Deployment, 'verb'>, name: string, version: number): AnyProjection {
  return versionAmong(configuredProjections(verb.config), name, version)
}

function versionAmong(projections: readonly AnyProjection[], name: string, version: number): AnyProjection {
  const found = projections.find(({ schema }) => schema.name === name && schema.version === version)
  if (found) return found
  const versions = projections.filter(({ schema }) => schema.name === name).map(({ schema }) => `v${schema.version}`)
  const what = versions.length === 0 ? `no read model ${name}` : `no ${name} v${version}, only ${versions.join(', ')}`
  throw new LedgerError('version_unknown', `This code has ${what}; run the verb with the release that has it`, {
    name,
    version,
  })
}

/** The processes of a deployment, watched until the verb is stopped. */
export function watched({ control, verb }: Deployment): Watched {
  return { control, signal: verb.signal }
}

/** Whether this code has a fold for a version. */
export function isKnown({ name, version }: KnownVersion): boolean {
  return knownVersions.some((each) => each.name === name && each.version === version)
}

/** Where the store keeps the rows of an instance. */
export function schemaOf(name: string, instance: Pick<InstancePlan, 'version' | 'build'>): ProjectionSchema {
  return schemaOfInstance(versionAmong(keptProjections, name, instance.version).schema, instance)
}
