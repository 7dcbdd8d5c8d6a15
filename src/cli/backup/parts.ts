import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { keptProjections } from '#projections/index.ts'
import type { DataFolder } from '#src/cli/data-folder.ts'
import type { Engines } from '#src/cli/engines.ts'
import type { Config } from '#src/config/schema.ts'
import type { ErrorCode } from '#src/domain/errors.ts'
import { topicNames } from '#src/events/event-types.ts'
import { schemaOfInstance } from '#src/operations/plan.ts'
import { instanceName, type ProjectionSchema } from '#src/ports/read-store.ts'

export const controlName = 'control.sqlite'
/** Texts that decisions name. */
export const contentsName = 'contents.sqlite'

/** A database of the data folder. */
export interface Part {
  /** In the data folder, such as `store/blocks@1.sqlite`. */
  readonly path: string
  readonly unavailable: ErrorCode
}

/** A log of the data folder, `path` being its folder. */
export interface LogPart {
  readonly path: string
  readonly isLedger: boolean
}

export interface Parts {
  readonly readModels: readonly Part[]
  /** The plan, and the decisions: what nothing else can be made from. */
  readonly kept: readonly Part[]
  /** What read models publish. */
  readonly outputs: readonly LogPart[]
  readonly ledgers: readonly LogPart[]
}

/** What lies embedded in a data folder. */
export async function partsOf(config: Config, folder: DataFolder, engines: Engines): Promise<Parts> {
  const { log, store, decisions } = config.engine
  const stored = store === 'embedded' ? databasesIn(folder.store) : []
  const inStore = (name: string): Part => ({ path: `store/${name}`, unavailable: 'store_unavailable' })
  // Decisions name texts that were there before, so these are looked at after them.
  const decided = [
    ...databasesIn(folder.decisions).filter((name) => name !== contentsName && decisions === 'embedded'),
    ...databasesIn(folder.decisions).filter((name) => name === contentsName && store === 'embedded'),
  ]
  const logs = log === 'embedded' ? await logsIn(folder, engines) : []
  return {
    readModels: stored.filter((name) => name !== controlName).map(inStore),
    kept: [
      ...stored.filter((name) => name === controlName).map(inStore),
      ...decided.map((name): Part => ({ path: `decisions/${name}`, unavailable: 'decisions_unavailable' })),
    ],
    outputs: logs.filter(({ isLedger }) => !isLedger),
    ledgers: logs.filter(({ isLedger }) => isLedger),
  }
}

function databasesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sqlite'))
    .sort()
}

async function logsIn(folder: DataFolder, engines: Engines): Promise<LogPart[]> {
  const parts: LogPart[] = []
  for (const generation of await engines.foundGenerations())
    for (const topic of topicNames)
      if (await engines.hasLog(generation, topic)) {
        const path = relative(folder.path, engines.logName(generation, topic))
        parts.push({ path, isLedger: topic === 'transactions' })
      }
  return parts
}

/** The read model whose rows a file has; undefined where this code does not have it. */
export function schemaOfFile(path: string): ProjectionSchema | undefined {
  const [, name, version, build] = /([^/]+)@(\d+)(?:\.(\d+))?\.sqlite$/.exec(path) ?? []
  const known = keptProjections.find(({ schema }) => schema.name === name && schema.version === Number(version))
  return known && schemaOfInstance(known.schema, { build: build === undefined ? 1 : Number(build) })
}

/** Of a part in the words that `projections status` has for it. */
export function labelOf(path: string): string {
  const schema = schemaOfFile(path)
  return schema === undefined ? path : instanceName(schema).replace('@', ' v')
}

export function fileIn(folder: string, path: string): string {
  return join(folder, ...path.split('/'))
}
