import { counted } from '#src/cli/counted.ts'
import { decisionsGeneration } from '#src/operations/plan.ts'
import type { DeploymentStatus, InstanceStatus, ProcessStatus } from '#src/runtime/watch/deployment-status.ts'
import {
  formatCount,
  formatDuration,
  formatLag,
  formatProgress,
  formatRate,
  type ProjectionStatus,
} from '#src/runtime/watch/status.ts'

/** A position that has stood for longer than this while it is behind is worth a word. */
const stalledAfterSeconds = 5

/** One line per instance, one per process, and the command to run where something obvious is to be done. */
export function formatStatus(status: DeploymentStatus, next: (verb: string) => string): string {
  const { instances, processes, problems } = status
  if (instances.length === 0) return `No read model was built here yet; next: ${next('project')}`
  const serving = Object.fromEntries(instances.flatMap(({ name, id, serving }) => (serving ? [[name, id]] : [])))
  const rows = [...Map.groupBy(processes, ({ process }) => process).values()]
  const lines = [
    ...columns(instances.map(instanceCells)),
    ...columns(rows.map((threads) => processCells(threads, instances, serving))),
  ]
  const verb = nextVerb(status)
  return [...lines, ...problems, ...(verb === undefined ? [] : [`next: ${next(verb)}`])].join('\n')
}

function instanceCells(status: InstanceStatus): string[] {
  const { name, id, generation, position, head, eventsPerSecond, parked, owner, problem } = status
  const standing = [
    position === null ? 'unknown to this code' : standingOf(position, head),
    eventsPerSecond === null ? '' : `${formatRate(eventsPerSecond)}/s${etaOf(status)}`,
    lagOf(status),
  ]
  return [
    `${name} v${id}`,
    logOf(generation),
    stateOf(status),
    ...standing,
    owner === null ? 'no owner' : `owner ${owner.process}${owner.epoch === null ? '' : ` epoch ${owner.epoch}`}`,
    parked === null || parked === 0 ? '' : `${counted(parked, 'event')} parked`,
    problem ?? '',
  ]
}

function standingOf(position: number, head: number | null): string {
  return head === null ? `${formatCount(position)} / ?` : formatProgress({ position, head })
}

function lagOf({ position, lagEvents, lagSeconds }: InstanceStatus): string {
  if (lagSeconds !== null) return `lag ${formatLag(lagSeconds)}`
  return position === 0 && (lagEvents ?? 0) > 0 ? 'nothing yet' : ''
}

function etaOf({ state, etaSeconds }: InstanceStatus): string {
  return state === 'built' || etaSeconds === null ? '' : ` eta ${formatDuration(etaSeconds)}`
}

/** In capitals what clients see. */
function stateOf({ serving, state, paused, position, lagEvents, stalledSeconds }: InstanceStatus): string {
  const stands = stalledSeconds !== null && stalledSeconds >= stalledAfterSeconds
  const moving = lagEvents === null || position === 0 ? [] : stands ? [`stalled ${formatLag(stalledSeconds, 0)}`] : []
  const what = serving ? (state === 'built' ? 'SERVING' : 'SERVING building') : state
  return [what, ...(paused ? ['paused'] : moving)].join(' ')
}

/** Of a process with all its threads. What it answers from is named only where the plan says otherwise. */
function processCells(
  threads: readonly ProcessStatus[],
  instances: readonly InstanceStatus[],
  serving: Readonly<Record<string, string>>,
): string[] {
  const process = threads[0]?.process ?? ''
  const roles = [...Map.groupBy(threads, ({ role }) => role)]
  const ports = [...new Set(threads.flatMap(({ port }) => port ?? []))]
  const since = threads.map(({ startedAt }) => startedAt).toSorted()[0] ?? ''
  const kept = instances.filter(({ owner }) => owner?.process === process)
  const served = new Map(threads.flatMap(({ serves }) => Object.entries(serves)))
  const others = [...served].filter(([name, id]) => serving[name] !== id).map(([name, id]) => `${name} v${id}`)
  const counts = [kept.length > 0 ? `keeps ${kept.length}` : '', served.size > 0 ? `serves ${served.size}` : '']
  return [
    process,
    roles.map(([role, { length }]) => (length === 1 ? role : `${role} ×${length}`)).join(', '),
    ports.map((port) => `port ${port}`).join(', '),
    `since ${since.slice(0, 19)}Z`,
    counts.filter((text) => text !== '').join(', '),
    others.length === 0 ? '' : `not by the plan: ${others.join(', ')}`,
  ]
}

/** What clients see comes first. */
function nextVerb({ generation, instances }: DeploymentStatus): string | undefined {
  const halted = instances.find(({ serving, paused }) => serving && paused)
  if (halted) return `projections resume ${halted.name}`
  if (instances.some(isAbandoned)) return 'project'
  const parked = instances.find((instance) => (instance.parked ?? 0) > 0)
  if (parked) return `projections parked list ${parked.name}${flagOf(parked)}`
  const building = instances.find(({ state, owner, paused }) => state === 'building' && owner === null && !paused)
  if (building) {
    const from = building.generation === generation ? '' : ` --generation ${building.generation}`
    return `projections rebuild ${building.name} --version ${building.version}${from}`
  }
  const ready = instances.find((instance) => isNewerThanServing(instance, instances))
  if (ready) return `projections promote ${ready.name}`
  const paused = instances.find((instance) => instance.paused)
  return paused && `projections resume ${paused.name}${flagOf(paused)}`
}

/** Nobody brings it forward, nor says why not. */
function isAbandoned({ state, paused, owner, problem, lagEvents }: InstanceStatus): boolean {
  return state === 'built' && !paused && owner === null && problem === null && (lagEvents ?? 0) > 0
}

function isNewerThanServing(instance: InstanceStatus, instances: readonly InstanceStatus[]): boolean {
  const serving = instances.find(({ name, serving }) => serving && name === instance.name)
  if (serving === undefined || instance.state !== 'built') return false
  if (instance.paused || instance.rolledBack) return false
  if (instance.generation !== serving.generation) return false
  return instance.version > serving.version || (instance.version === serving.version && instance.build > serving.build)
}

function flagOf({ serving, id }: InstanceStatus): string {
  return serving ? '' : ` --version ${id}`
}

/** Pads what stands below each other; columns that are empty everywhere vanish. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => (widths[column] === 0 ? '' : `${cell.padEnd(widths[column]!)}  `))
      .join('')
      .trimEnd(),
  )
}

/** One line per read model at the end of a run: `transactions v1  100.0%  1,234 / 1,234  lag 0.0 s  up to date`. */
export function formatProjections(statuses: readonly ProjectionStatus[]): string {
  return columns(
    statuses.map((status) => {
      const { name, version, build = 1, lagSeconds, parked, position, head, state } = status
      const standing = state === 'starting' ? 'not built' : position < head ? 'behind' : 'up to date'
      const parkedText = parked === 0 ? '' : `  ${counted(parked, 'event')} parked`
      return [
        build === 1 ? `${name} v${version}` : `${name} v${version}.${build}`,
        `${formatProgress(status)}${lagSeconds === null ? '' : `  lag ${formatLag(lagSeconds)}`}  ${standing}${parkedText}`,
      ]
    }),
  ).join('\n')
}

/** Nothing is said of the first generation of the log: most deployments have no other. */
function logOf(generation: number): string {
  if (generation === decisionsGeneration) return 'decisions'
  return generation === 1 ? '' : `log g${generation}`
}
