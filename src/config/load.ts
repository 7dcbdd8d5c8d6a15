import { redacted } from '#src/config/keys.ts'
import { type Config, configKeys, type NamedKey } from '#src/config/schema.ts'
import { LedgerError } from '#src/domain/errors.ts'

export type Origin = 'flag' | 'environment' | 'file' | 'default'

export interface ConfigSources {
  /** Values by flag name without dashes; absent ones were not given. */
  readonly flags: Readonly<Record<string, unknown>>
  /** Variables that begin with LEDGER_. */
  readonly environment: Readonly<Record<string, string>>
  /** The configuration file's text and the name to show for it; undefined when there is none. */
  readonly file: { readonly name: string; readonly text: string } | undefined
}

export interface LoadedConfig {
  readonly config: Config
  /** Where each value came from, by key name. */
  readonly origins: ReadonlyMap<string, Origin>
  /** What was ignored, a sentence each. */
  readonly warnings: readonly string[]
}

interface Given {
  readonly origin: Origin
  /** Where a person finds the value: `--port`, `LEDGER_PORT`, `ledger-history.json: port`. */
  readonly place: string
  readonly input: unknown
}

/** Variables with this prefix that are not keys of the schema. */
const otherVariables = new Set(['LEDGER_CONFIG', 'LEDGER_LAUNCHER'])
/** Where tests find services; the product itself has no use for them. */
const testPrefix = 'LEDGER_TEST_'

/**
 * One value per key: flag, else environment, else file, else default. Throws `config_invalid` with every problem in one
 * message. The result is frozen.
 */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const problems: string[] = []
  const file = parseFile(sources.file, problems)
  const origins = new Map<string, Origin>()
  const root: Record<string, unknown> = {}
  for (const named of configKeys) {
    const given = findGiven(named, sources, file)
    origins.set(named.name, given?.origin ?? 'default')
    setAt(root, named.path, given ? readValue(named, given, problems) : named.key.default)
  }
  problems.push(...fileProblems(file, sources.file?.name ?? ''))
  // Every key of the schema has its value now; which path has which type only the schema's own type says.
  const config = root as unknown as Config
  if (problems.length === 0) problems.push(...contradictions(config))
  if (problems.length > 0) throw configInvalid(problems)
  return { config: deepFreeze(config), origins, warnings: unknownVariables(sources.environment) }
}

function parseFile(file: ConfigSources['file'], problems: string[]): Record<string, unknown> {
  if (!file) return {}
  try {
    const value: unknown = JSON.parse(file.text)
    if (isRecord(value)) return value
    problems.push(`${file.name} must hold one JSON object`)
  } catch (error) {
    problems.push(`${file.name} is not valid JSON (${(error as Error).message})`)
  }
  return {}
}

function findGiven(named: NamedKey, sources: ConfigSources, file: Record<string, unknown>): Given | undefined {
  const fromFlag = sources.flags[named.flagName]
  if (fromFlag !== undefined) return { origin: 'flag', place: `--${named.flagName}`, input: fromFlag }
  const fromEnvironment = sources.environment[named.variable]
  if (fromEnvironment !== undefined) return { origin: 'environment', place: named.variable, input: fromEnvironment }
  const fromFile = getAt(file, named.path)
  if (fromFile === undefined) return undefined
  return { origin: 'file', place: `${sources.file?.name}: ${named.name}`, input: fromFile }
}

function readValue({ key, variable }: NamedKey, given: Given, problems: string[]): unknown {
  if (key.secret && JSON.stringify(given.input).includes(redacted)) {
    problems.push(
      `${given.place} says ${redacted}, which is how secrets are printed; put the secret there, or leave the key out and set ${variable}`,
    )
    return key.default
  }
  const parsed = key.parse(given.input)
  if ('value' in parsed) return parsed.value
  const { expected, hint } = parsed
  const found = key.secret ? ' (value hidden)' : `, not ${shown(given.input)}`
  problems.push(`${given.place} must be ${expected}${found}${hint === undefined ? '' : `; there are ${hint}`}`)
  return key.default
}

function shown(input: unknown): string {
  return input === '' ? 'empty' : JSON.stringify(input)
}

/** Values that are fine alone but not together. */
function contradictions({ source, api }: Config): string[] {
  const problems: string[] = []
  if (source.startDate !== null && source.endDate !== null && source.startDate > source.endDate) {
    problems.push('source.startDate lies after source.endDate')
  }
  if ((source.s3.accessKey === null) !== (source.s3.secretKey === null)) {
    problems.push('source.s3.accessKey and source.s3.secretKey must be given together')
  }
  if (api.pageSizeDefault > api.pageSizeMax) problems.push('api.pageSizeDefault exceeds api.pageSizeMax')
  return problems
}

function configInvalid(problems: readonly string[]): LedgerError {
  const [first] = problems
  const message =
    problems.length === 1
      ? `Configuration problem: ${first}`
      : `Configuration has ${problems.length} problems:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`
  return new LedgerError('config_invalid', message, { problems })
}

function fileProblems(file: Record<string, unknown>, name: string): string[] {
  const known = new Set(configKeys.map((named) => named.name))
  const groups = new Set(
    configKeys.flatMap(({ path }) => path.slice(0, -1).map((_, index) => path.slice(0, index + 1).join('.'))),
  )
  const problems: string[] = []
  const visit = (record: Record<string, unknown>, path: readonly string[]): void => {
    for (const [part, value] of Object.entries(record)) {
      const here = [...path, part]
      const full = here.join('.')
      if (known.has(full)) continue
      if (groups.has(full) && isRecord(value)) visit(value, here)
      else if (groups.has(full)) problems.push(`${name}: ${full} must be an object with the keys below it`)
      else problems.push(`${name}: ${full} is not a known key`)
    }
  }
  visit(file, [])
  return problems
}

/** Only a warning: container platforms set variables of their own, named after services. */
function unknownVariables(environment: Readonly<Record<string, string>>): string[] {
  const known = new Set(configKeys.map((named) => named.variable))
  return Object.keys(environment)
    .filter((variable) => !known.has(variable) && !otherVariables.has(variable) && !variable.startsWith(testPrefix))
    .map((variable) => `${variable} is not a known setting and was ignored`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function getAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, part) => (isRecord(value) ? value[part] : undefined), root)
}

export function setAt(root: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let target = root
  for (const part of path.slice(0, -1)) {
    target[part] ??= {}
    target = target[part] as Record<string, unknown>
  }
  target[path.at(-1) ?? ''] = value
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}
