import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface CliProcess {
  /** Where its API answers. */
  readonly address: string
  /** Resolves once it has ended: until then it writes to its folder. */
  stop(): Promise<void>
  /** Most memory that it ever had resident, MiB. */
  peakMiB(): number
}

/** What a process took so far. */
export interface CliResources {
  /** Most memory that it ever had resident, MiB. */
  readonly peakMiB: number
  readonly cpuSeconds: number
}

const readyAttempts = 400
const pauseMs = 50
const watchMs = 20
/** Fields of /proc/<pid>/stat behind the name, and their unit. */
const userTicks = 11
const systemTicks = 12
const ticksPerSecond = 100

/** Starts a verb that listens, on a port of its own, and waits until the block list answers. It ends with this process at the latest. */
export async function startCli(verb: 'start' | 'serve', args: readonly string[]): Promise<CliProcess> {
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const child = spawnCli([verb, '--port', String(port), ...args])
  const address = `http://127.0.0.1:${port}`
  for (let attempt = 0; attempt < readyAttempts && child.exitCode === null; attempt++) {
    const ready = await fetch(`${address}/api/v1/blocks?limit=1`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ready) return { address, stop: () => ended(child), peakMiB: () => resourcesOf(child.pid ?? 0)?.peakMiB ?? 0 }
    await sleep(pauseMs)
  }
  child.kill('SIGKILL')
  throw new Error(`"${verb}" did not answer on ${address}`)
}

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

/** Runs a verb until it ends, and rejects unless that is with success; what it took, start included. */
export async function runCli(
  args: readonly string[],
  nodeFlags: readonly string[],
): Promise<CliResources & { readonly seconds: number }> {
  const started = performance.now()
  const child = spawnCli(args, nodeFlags)
  let resources: CliResources | undefined
  const watch = setInterval(() => {
    resources = resourcesOf(child.pid ?? 0) ?? resources
  }, watchMs)
  const [code, signal] = await once(child, 'exit')
  clearInterval(watch)
  if (code !== 0 || !resources) throw new Error(`"${args.slice(0, 2).join(' ')}" ended with ${signal ?? code}`)
  return { ...resources, seconds: (performance.now() - started) / 1_000 }
}

function spawnCli(args: readonly string[], nodeFlags: readonly string[] = []): ChildProcess {
  return spawnModule(new URL('../../src/cli/main.ts', import.meta.url), [...args, '--log-level', 'error'], nodeFlags)
}

/** A module as a process of its own, which ends with this one. */
export function spawnModule(
  module: URL,
  args: readonly string[] = [],
  nodeFlags: readonly string[] = [],
): ChildProcess {
  const endsWithUs = `--import=${new URL('../../scripts/end-with-parent.js', import.meta.url).href}`
  return spawn(
    process.execPath,
    [...nodeFlags, '--disable-warning=ExperimentalWarning', endsWithUs, fileURLToPath(module), ...args],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, LEDGER_LAUNCHER: String(process.pid) },
    },
  )
}

/** As the kernel has them; undefined once the process is gone. */
export function resourcesOf(pid: number): CliResources | undefined {
  try {
    const peakKiB = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    // Behind the name of the program, in which anything may stand.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const cpuSeconds = (Number(fields[userTicks]) + Number(fields[systemTicks])) / ticksPerSecond
    return peakKiB === undefined ? undefined : { peakMiB: Math.round(Number(peakKiB) / 1024), cpuSeconds }
  } catch {
    return undefined
  }
}
