import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface CliProcess {
  /** Where its API answers. */
  readonly address: string
  stop(): void
  /** Most memory that it ever had resident, MiB. */
  peakMiB(): number
}

const readyAttempts = 400
const pauseMs = 50

/** Starts a verb that listens, on a port of its own, and waits until the block list answers. It ends with this process at the latest. */
export async function startCli(verb: 'start' | 'serve', args: readonly string[]): Promise<CliProcess> {
  const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const endsWithUs = `--import=${new URL('../../scripts/end-with-parent.js', import.meta.url).href}`
  const flags = [
    '--disable-warning=ExperimentalWarning',
    endsWithUs,
    main,
    verb,
    '--port',
    String(port),
    '--log-level',
    'error',
  ]
  const child = spawn(process.execPath, [...flags, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, LEDGER_LAUNCHER: String(process.pid) },
  })
  const address = `http://127.0.0.1:${port}`
  for (let attempt = 0; attempt < readyAttempts && child.exitCode === null; attempt++) {
    const ready = await fetch(`${address}/api/v1/blocks?limit=1`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ready) return { address, stop: () => child.kill('SIGTERM'), peakMiB: () => peakMiB(child.pid ?? 0) }
    await sleep(pauseMs)
  }
  child.kill('SIGKILL')
  throw new Error(`"${verb}" did not answer on ${address}`)
}

function peakMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
