import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { forget, killAtOurEnd } from './guard.ts'

const outputBytesMax = 4_000

/** Whether the program is on the PATH. */
export function hasTool(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Throws an error that names the missing programs and what they are for. */
export function requireTools(purpose: string, names: readonly string[]): void {
  const missing = names.filter((name) => !hasTool(name))
  if (missing.length > 0) throw new Error(`${purpose} needs ${missing.join(' and ')}, not found on the PATH`)
}

/** Runs a program to its end. Rejects with the end of its output when it fails or takes longer than `timeoutMs`. */
export async function runTool(
  command: string,
  args: readonly string[],
  { cwd, timeoutMs }: { readonly cwd: string; readonly timeoutMs: number },
): Promise<void> {
  // A group of its own: tools start others, which must not go on when we are killed.
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs, detached: true })
  const { pid } = child
  if (pid !== undefined) killAtOurEnd(pid)
  let output = ''
  const keepEnd = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-outputBytesMax)
  }
  child.stdout.on('data', keepEnd)
  child.stderr.on('data', keepEnd)
  const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal }))
  })
  if (pid !== undefined) forget(pid)
  if (code === 0) return
  const how = signal === null ? `ended with ${code}` : `was ended by ${signal} (it has ${timeoutMs / 1000} s)`
  throw new Error(`${command} ${args.join(' ')} ${how}:\n${output.trimEnd()}`)
}
