import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exampleCode } from './document.ts'

const run = promisify(execFile)
const cache = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), '.cache')
const outputBytesMax = 256 << 20
const installTimeoutMs = 180_000
const runTimeoutMs = 60_000

/** A program that subscribers use, or why it cannot be had here. */
export type Tool = { readonly path: string } | { readonly missing: string }

export async function findKcat(): Promise<Tool> {
  try {
    await run('kcat', ['-V'])
    return { path: 'kcat' }
  } catch (error) {
    return { missing: `no kcat (${reasonOf(error)}); Debian has it in the package kcat` }
  }
}

/** A Python with the libraries that the how-to installs. */
export async function findSubscriberPython(): Promise<Tool> {
  const requirements = exampleCode('python-install').trim().replaceAll('"', '').split(' ').slice(2)
  return await findPython(requirements, 'confluent_kafka, fastavro')
}

/** A Python of which these modules can be imported since these packages are installed, in an environment of its own that is kept. */
export async function findPython(requirements: readonly string[], modules: string): Promise<Tool> {
  const folder = join(cache, `python-${requirements.join('-').replace(/\W+/g, '-')}`)
  const python = join(folder, 'bin', 'python')
  const works = () => run(python, ['-c', `import ${modules}`], { timeout: installTimeoutMs })
  try {
    await works().catch(async () => {
      mkdirSync(cache, { recursive: true })
      await run('python3', ['-m', 'venv', '--clear', folder], { timeout: installTimeoutMs })
      await run(python, ['-m', 'pip', 'install', '--quiet', ...requirements], { timeout: installTimeoutMs })
      await works()
    })
    return { path: python }
  } catch (error) {
    return { missing: `no Python with ${requirements.join(' and ')} (${reasonOf(error)})` }
  }
}

/** Standard output of a program; rejects with what it says on standard error when it fails. */
export async function outputOf(program: string, args: readonly string[], env: Record<string, string> = {}) {
  const { stdout } = await run(program, args, {
    env: { ...process.env, ...env },
    maxBuffer: outputBytesMax,
    timeout: runTimeoutMs,
  })
  return stdout
}

function reasonOf(error: unknown): string {
  const { message, stderr } = error as Error & { stderr?: string }
  return (stderr?.trim().split('\n').at(-1) || message.split('\n')[0]) ?? ''
}
