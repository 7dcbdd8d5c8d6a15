import type { PresentProcess, RunningInstance } from '#src/operations/presence.ts'

/** `host:pid (version)`, as a person tells processes apart. */
export function processLabel({ host, pid, codeVersion }: PresentProcess): string {
  return `${host}:${pid} (${codeVersion})`
}

/** Each once, however many of its threads are meant. */
export function labelsOf(processes: readonly PresentProcess[]): string {
  return [...new Set(processes.map(processLabel))].join(', ')
}

/** Processes that answer requests from some read model. */
export function servers(processes: readonly PresentProcess[]): PresentProcess[] {
  return processes.filter(({ alive, serves }) => alive && serves !== undefined)
}

/** Those whose answers come from this instance. */
export function serversOf(processes: readonly PresentProcess[], name: string, id: string): PresentProcess[] {
  return servers(processes).filter(({ serves }) => serves?.[name] === id)
}

/** Processes that keep read models up to date, or wait for the right to. */
export function projectors(processes: readonly PresentProcess[]): PresentProcess[] {
  return processes.filter(({ alive, runs }) => alive && runs !== undefined)
}

export interface Runner {
  readonly process: PresentProcess
  readonly run: RunningInstance
}

/** The process that brings this instance forward; undefined while nobody does. */
export function ownerOf(processes: readonly PresentProcess[], name: string, id: string): Runner | undefined {
  return projectors(processes)
    .flatMap((process) => (process.runs ?? []).map((run) => ({ process, run })))
    .find(({ run }) => run.name === name && run.id === id && run.epoch !== null)
}

/** Why a process that should bring this instance forward does not, and which; null where none says so. */
export function problemOf(processes: readonly PresentProcess[], name: string, id: string): string | null {
  for (const process of projectors(processes)) {
    const run = process.runs?.find((each) => each.name === name && each.id === id)
    if (run?.problem !== undefined) return `${processLabel(process)}: ${run.problem}`
  }
  return null
}

/** Processes that answer from this instance, or still read it for a request, or bring it forward. */
export function usersOf(processes: readonly PresentProcess[], name: string, id: string): PresentProcess[] {
  return processes.filter(
    ({ alive, serves, runs = [] }) =>
      alive && (serves?.[name] === id || runs.some((run) => run.name === name && run.id === id)),
  )
}
