import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { roleHeaps } from '#src/cli/roles/role.ts'
import type { StageName, StageOptions, StageResult } from '#test/bench/stages.ts'

/** A stage as it ran in a process of its own. */
export interface Report extends StageResult {
  readonly stage: string
  readonly peakMiB: number
  readonly cpuSeconds: number
}

const { youngMiB, oldMiB } = roleHeaps.project
/** As Node's flags, the heap that a projector has in the product. The young generation is three semi-spaces. */
export const projectorHeap = [
  `--max-old-space-size=${oldMiB}`,
  `--max-semi-space-size=${Math.floor(youngMiB / 3)}`,
] as const

export interface RunOptions {
  readonly label: string
  readonly stage: StageName
  readonly options: StageOptions
  /** Bounds of the process' heap, as Node's flags. */
  readonly heap?: readonly string[]
}

/** Runs a stage in a process of its own, so that its peak memory is its own. */
export async function runStage({ label, stage, options, heap = [] }: RunOptions): Promise<Report> {
  const file = fileURLToPath(new URL('./stage.ts', import.meta.url))
  const flags = ['--disable-warning=ExperimentalWarning', ...heap]
  const text = await new Promise<string>((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, file, stage, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.on('error', reject)
    child.on('exit', (code, signal) =>
      code === 0 ? resolve(output) : reject(new Error(`stage ${label} ended with ${signal ?? code}`)),
    )
  })
  return { stage: label, ...(JSON.parse(text) as Omit<Report, 'stage'>) }
}

export function rateOf({ count, seconds }: StageResult): number {
  return count / seconds
}

export function formatReport(report: Report): string {
  const { stage, count, peakMiB, cpuSeconds, marks, note } = report
  if (count === 0) return `${stage.padEnd(30)} nothing to do`
  const rate = Math.round(rateOf(report)).toLocaleString('en')
  const cpu = ((cpuSeconds * 1e6) / count).toFixed(1)
  const line = `${stage.padEnd(30)} ${rate.padStart(10)} /s  ${cpu.padStart(6)} us CPU each  peak ${String(peakMiB).padStart(4)} MiB`
  if (note !== undefined) return `${line}\n${' '.repeat(30)} ${note}`
  const late = lateRatio(marks ?? [])
  return late === undefined ? line : `${line}  last tenth at ${Math.round(late * 100)} % of the first`
}

/** Rate of the last tenth over that of the first tenth, without the very first mark, which pays for warming up. */
function lateRatio(marks: NonNullable<StageResult['marks']>): number | undefined {
  if (marks.length < 30) return undefined
  const tenth = Math.floor(marks.length / 10)
  const rate = (from: number, to: number): number =>
    ((marks[to]?.count ?? 0) - (marks[from]?.count ?? 0)) / ((marks[to]?.seconds ?? 1) - (marks[from]?.seconds ?? 0))
  return rate(marks.length - 1 - tenth, marks.length - 1) / rate(1, 1 + tenth)
}
