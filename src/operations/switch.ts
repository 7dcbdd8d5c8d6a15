import { LedgerError } from '#src/domain/errors.ts'
import { LivingProcesses } from '#src/operations/living-processes.ts'
import type { NamedInstance, Plan } from '#src/operations/plan.ts'
import { readPlan } from '#src/operations/plan-store.ts'
import type { PresentProcess } from '#src/operations/presence.ts'
import { labelsOf, processLabel, projectors, servers } from '#src/operations/processes.ts'
import { waitFor } from '#src/operations/wait-for.ts'
import type { ControlStore } from '#src/ports/control-store.ts'

/** The processes of a deployment, as its control store tells them, for as long as the signal lets one wait. */
export interface Watched {
  readonly control: ControlStore
  readonly signal: AbortSignal
}

/** A serving process, and how long after the decision the last of its threads answered from the new instances. */
export interface Switch {
  readonly process: string
  readonly afterMs: number
}

export interface Switches {
  readonly followed: readonly Switch[]
  /** Query processes and projectors that give no sign of life: one that hangs goes on as before when it wakes up, for a moment. */
  readonly silent: readonly PresentProcess[]
}

/** Longer than a killed process goes on to count as alive. */
const deathMs = 6_500
const pollMs = 25

/** The first of these that a process has no code for. */
function lacking(process: PresentProcess, targets: readonly NamedInstance[]): NamedInstance | undefined {
  return targets.find(({ name, version }) => !process.knows?.[name]?.includes(version))
}

/**
 * Throws `version_unknown` when a process that answers requests has no code for what is to serve; where some may be left behind,
 * when all of them have none. Resolves to those that are left behind.
 */
export async function assertServersKnow(
  { control, signal }: Watched,
  targets: readonly NamedInstance[],
  leaveBehind = false,
): Promise<readonly PresentProcess[]> {
  const processes = new LivingProcesses(control)
  let behind: PresentProcess[] = []
  // One that was killed a moment ago still seems to live, so it is given the time to be found out.
  const all = await waitFor(
    async () => {
      const living = servers(await processes.read())
      behind = living.filter((process) => lacking(process, targets) !== undefined)
      return behind.length === 0 || (leaveBehind && behind.length < living.length) ? true : undefined
    },
    { signal, timeoutMs: deathMs },
  )
  if (all) return behind
  const { name, version } = lacking(behind[0]!, targets)!
  throw new LedgerError(
    'version_unknown',
    `${labelsOf(behind)} cannot answer from ${name} v${version}; deploy the code that has it there first`,
    { name, version },
  )
}

/**
 * Why an instance would fall behind once it serves: there are processes that keep its read model up to date, but all with code
 * that does not know its version. undefined where one knows it, or nobody keeps that read model anyway.
 */
export async function whyNotKept(
  { control, signal }: Watched,
  targets: readonly NamedInstance[],
): Promise<string | undefined> {
  const processes = new LivingProcesses(control)
  let reason: string | undefined
  await waitFor(
    async () => {
      const keepers = projectors(await processes.read())
      reason = targets.map((target) => unkept(target, keepers)).find((each) => each !== undefined)
      return reason === undefined ? true : undefined
    },
    { signal, timeoutMs: deathMs },
  )
  return reason
}

function unkept({ name, id, version }: NamedInstance, processes: readonly PresentProcess[]): string | undefined {
  const keepers = processes.filter(({ knows }) => knows?.[name] !== undefined)
  if (keepers.length === 0 || keepers.some(({ knows }) => knows?.[name]?.includes(version))) return undefined
  return `${labelsOf(keepers)} cannot keep ${name} v${id} up to date; deploy the code that has v${version} there first`
}

export interface SwitchOptions {
  /** When the decision was taken, by `performance.now()`. */
  readonly changedAtMs: number
  readonly timeoutMs: number
  /** Said to whoever waited in vain, after what else can be done. */
  readonly advice: string
  /** Whether nobody waits for processes that have no code for what serves: they go on with what served before. */
  readonly leaveBehind: boolean
}

/**
 * Waits until every living serving process answers from these instances. Throws `not_followed` when one does not, and
 * `operation_refused` when another operator has decided otherwise meanwhile.
 */
export async function waitForServers(
  { control, signal }: Watched,
  targets: readonly NamedInstance[],
  { changedAtMs, timeoutMs, advice, leaveBehind }: SwitchOptions,
): Promise<Switches> {
  const processes = new LivingProcesses(control)
  const switched = new Map<string, Switch>()
  let late: PresentProcess[] = []
  const all = await waitFor(
    async () => {
      assertStillInForce(await readPlan(control), targets)
      const living = servers(await processes.read()).filter(
        (process) => !leaveBehind || lacking(process, targets) === undefined,
      )
      const followed = living.filter(({ serves }) => targets.every(({ name, id }) => serves?.[name] === id))
      for (const process of followed) {
        const afterMs = switched.get(process.id)?.afterMs ?? performance.now() - changedAtMs
        switched.set(process.id, { process: processLabel(process), afterMs })
      }
      late = living.filter((process) => !followed.includes(process))
      return late.length === 0 ? true : undefined
    },
    { signal, timeoutMs, pollMs },
  )
  const silent = processes.silent.filter(({ serves, runs }) => serves !== undefined || runs !== undefined)
  if (all) return { followed: lastOfEach([...switched.values()]), silent }
  throw new LedgerError(
    'not_followed',
    `The plan says so, but ${labelsOf(late)} does not serve it yet; look at its log, or stop it${advice}`,
    { late: late.map(({ id }) => id) },
  )
}

function lastOfEach(switches: readonly Switch[]): Switch[] {
  const last = new Map<string, Switch>()
  for (const each of switches.toSorted((a, b) => a.afterMs - b.afterMs)) last.set(each.process, each)
  return [...last.values()]
}

/** Nobody follows a decision that is not in force any more, and nobody should. */
function assertStillInForce({ readModels }: Plan, targets: readonly NamedInstance[]): void {
  for (const { name, id } of targets) {
    const { serving, rolledBack } = readModels[name] ?? {}
    if (serving === id) continue
    const what = rolledBack === id ? `rolled it back to v${serving}` : `let v${serving} serve instead`
    throw new LedgerError(
      'operation_refused',
      `${name} v${id} does not serve any more: another operator has ${what} meanwhile; look at "ledger-history projections status" and decide again`,
      { name, id, serving },
    )
  }
}
