import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningService } from './catalogue.ts'
import { stateFile } from './folders.ts'

const stopWithinMs = 15_000
const pollMs = 100

/** A service that `up` left running. */
export interface RecordedService extends RunningService {
  /** When each of its processes began, as the system tells it: a number alone may be another process by now. */
  readonly begun: readonly string[]
}

export function record(service: RunningService): RecordedService {
  const { name, address, pids, folder, logFile } = service
  return { name, address, pids, folder, logFile, begun: pids.map(beginOf) }
}

/** What is written down and still runs. */
export function readRunning(file = stateFile): RecordedService[] {
  return readRecorded(file).filter(isRunning)
}

export function readRecorded(file = stateFile): RecordedService[] {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { services: RecordedService[] }).services
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new Error(`${file} is not readable (${(error as Error).message}); stop what still runs and remove the file`)
  }
}

export function writeRecorded(services: readonly RecordedService[]): void {
  if (services.length === 0) {
    rmSync(stateFile, { force: true })
    return
  }
  mkdirSync(dirname(stateFile), { recursive: true })
  // Whoever reads meanwhile sees all or nothing.
  writeFileSync(`${stateFile}.part`, `${JSON.stringify({ services }, undefined, 2)}\n`)
  renameSync(`${stateFile}.part`, stateFile)
}

export function isRunning({ pids, begun }: RecordedService): boolean {
  return pids.length > 0 && pids.every((pid, index) => begun[index] !== '' && beginOf(pid) === begun[index])
}

/** Stops what was recorded and removes its folder. */
export async function stopRecorded(service: RecordedService): Promise<void> {
  const mine = service.pids.filter((pid, index) => beginOf(pid) === service.begun[index])
  for (const pid of mine) process.kill(pid, 'SIGTERM')
  const deadline = Date.now() + stopWithinMs
  while (mine.some((pid) => beginOf(pid) !== '')) {
    if (Date.now() > deadline) for (const pid of mine) if (beginOf(pid) !== '') process.kill(pid, 'SIGKILL')
    await sleep(pollMs)
  }
  await rm(service.folder, { recursive: true, force: true })
}

/** Empty when there is no such process, or only a zombie that nobody has waited for. */
function beginOf(pid: number): string {
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
  const [state = '', ...begin] = (stdout ?? '').trim().split(/\s+/)
  return state.startsWith('Z') ? '' : begin.join(' ')
}
