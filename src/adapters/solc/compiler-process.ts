import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { frameKind } from '#src/adapters/solc/child/frames.ts'
import type { CompilerFile } from '#src/adapters/solc/compiler-files.ts'
import { createFrameReader, type Frame } from '#src/adapters/solc/frame-reader.ts'
import type { CompilerLimits } from '#src/adapters/solc/limits.ts'
import { LedgerError } from '#src/domain/errors.ts'

const run = promisify(execFile)

/** How often to look: what looks costs a process of its own elsewhere. */
const residentLookMs = process.platform === 'linux' ? 50 : 500

const childFolder = fileURLToPath(new URL('./child/', import.meta.url))
const packageFile = fileURLToPath(new URL('../../../package.json', import.meta.url))
const wasmPageBytes = 65_536
/** Whatever its output may be, what a compiler says in passing is short. */
const wordsBytesMax = 4_096
/** For the child to end itself first where it can, which tells what it was at. */
const graceMs = 2_000

type Child = ChildProcessByStdio<Writable, Readable, Readable>

interface Unreferable {
  unref(): void
}

interface Asked {
  readonly resolve: (frame: Frame) => void
  readonly reject: (error: unknown) => void
}

export interface CompilerProcessOptions {
  readonly file: CompilerFile
  readonly limits: CompilerLimits
  /** Where it runs: an empty folder. */
  readonly folder: string
}

/** One compiler in a process of its own, loaded as soon as it is made. */
export class CompilerProcess {
  readonly file: CompilerFile
  /** Resolves once it is loaded and has shown to be the version that it should be. */
  readonly ready: Promise<void>
  /** Resolves when its process is gone. */
  readonly ended: Promise<unknown>
  readonly #limits: CompilerLimits
  readonly #child: Child
  #asked: Asked | undefined
  #warmed: Promise<unknown> = Promise.resolve()
  /** Why it is of no use any more. */
  #over: unknown

  constructor({ file, limits, folder }: CompilerProcessOptions) {
    this.file = file
    this.#limits = limits
    this.#child = spawn(process.execPath, argumentsFor(file, limits), {
      cwd: folder,
      env: {},
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    // One that waits to be used keeps nobody from stopping.
    for (const held of [this.#child, ...this.#child.stdio] as readonly (Unreferable | null)[]) held?.unref()
    this.ended = new Promise((resolve) => {
      for (const end of ['exit', 'error']) this.#child.once(end, resolve)
    })
    this.#listen()
    this.ready = this.#load()
    // Whoever uses it hears of it; until then nobody has to.
    this.ready.catch(() => {})
  }

  /** Resolves once what was compiled before somebody needs it is over, however it ended. */
  get warmed(): Promise<unknown> {
    return this.#warmed
  }

  get isUsable(): boolean {
    return this.#over === undefined
  }

  async compile(input: string): Promise<string> {
    const bytes = Buffer.from(input)
    const { inputBytes } = this.#limits
    if (bytes.length > inputBytes)
      throw limitError(`Its input has ${bytes.length} bytes, and ${inputBytes} are allowed`)
    await this.ready
    await this.#warmed
    return this.#compile(bytes)
  }

  /** Compiles what is of no interest, once it is loaded. Who uses it meanwhile waits for that, which takes no longer than a cold compilation does more. */
  warmUp(input: string): void {
    // Where it fails, the process has ended, which `isUsable` says.
    const before = Promise.all([this.ready, this.#warmed])
    this.#warmed = before.then(() => this.#compile(Buffer.from(input))).catch(() => {})
  }

  async #compile(bytes: Buffer): Promise<string> {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    const { kind, text } = await this.#ask(() => this.#child.stdin.write(Buffer.concat([length, bytes])))
    if (kind === frameKind.output) return text
    throw this.#end(this.#failureOf(kind, text))
  }

  /** Ends the process at once; what was asked rejects with the reason, and so does what will be. */
  end(reason: unknown): void {
    this.#end(reason)
  }

  async #load(): Promise<void> {
    const { kind, text } = await this.#ask(() => {})
    if (kind !== frameKind.ready) throw this.#end(this.#failureOf(kind, text))
    const version = text.replace(/\.Emscripten\.clang$/, '')
    if (version === this.file.longVersion) return
    const message = `${this.file.path} says that it is version ${version}, and should be ${this.file.longVersion}`
    throw this.#end(new LedgerError('compiler_damaged', message, { path: this.file.path, version }))
  }

  /** Waits for one answer, for as long and with as much memory as is allowed. */
  #ask(begin: () => void): Promise<Frame> {
    if (this.#over !== undefined) return Promise.reject(this.#over)
    return new Promise<Frame>((resolve, reject) => {
      const { compileMs } = this.#limits
      const late = () => this.#end(limitError(`It took longer than ${compileMs} ms`))
      const timer = setTimeout(late, compileMs + graceMs)
      const looking = setInterval(() => this.#lookAtMemory(), residentLookMs)
      const settled = <T>(settle: (value: T) => void) => {
        return (value: T) => {
          clearTimeout(timer)
          clearInterval(looking)
          this.#asked = undefined
          settle(value)
        }
      }
      this.#asked = { resolve: settled(resolve), reject: settled(reject) }
      begin()
    })
  }

  async #lookAtMemory(): Promise<void> {
    const { pid } = this.#child
    const bytes = pid === undefined ? undefined : await residentBytes(pid)
    const allowed = this.#limits.residentBytes
    if (bytes !== undefined && bytes > allowed && this.#asked)
      this.#end(limitError(`It took more than ${allowed} bytes of memory`))
  }

  #listen(): void {
    const read = createFrameReader(this.#limits.outputBytes + wordsBytesMax)
    const child = this.#child
    let lastWords = ''
    child.stdout.on('data', (piece: Buffer) => {
      try {
        for (const frame of read(piece)) this.#asked?.resolve(frame)
      } catch (error) {
        this.#end(this.#failureOf(frameKind.failed, `It sent ${(error as Error).message}`))
      }
    })
    child.stderr.on('data', (piece: Buffer) => {
      lastWords = (lastWords + piece.toString('utf8')).slice(-wordsBytesMax)
    })
    // A pipe that breaks is told by the end of the process.
    child.stdin.on('error', () => {})
    child.on('error', (error) => this.#end(this.#failureOf(frameKind.failed, error.message)))
    child.on('exit', (code, signal) => this.#end(this.#deathOf(code ?? signal, lastWords)))
  }

  #deathOf(how: number | string | null, lastWords: string): LedgerError {
    if (isOutOfMemory(lastWords)) return limitError(`It took more than ${this.#limits.residentBytes} bytes of memory`)
    return this.#failureOf(frameKind.failed, `It ended with ${how}: ${lastWords.trim().split('\n').at(-1)}`)
  }

  #failureOf(kind: number, text: string): LedgerError {
    const { compileMs, outputBytes, residentBytes: allowed } = this.#limits
    const { path, longVersion, sha256 } = this.file
    if (kind === frameKind.damaged) {
      const message = `The file of compiler ${longVersion} at ${path} has sha256 ${text}, and should have ${sha256}; install it again`
      return new LedgerError('compiler_damaged', message, { path, sha256: text })
    }
    if (kind === frameKind.tooLarge) return limitError(`Its output has ${text} bytes, and ${outputBytes} are allowed`)
    if (/^Script execution timed out/.test(text)) return limitError(`It took longer than ${compileMs} ms`)
    if (isOutOfMemory(text)) return limitError(`It took more than ${allowed} bytes of memory`)
    return new LedgerError('compilation_failed', `Compiler ${longVersion} ended without an answer: ${text}`)
  }

  /** Returns why it ended, which is the first reason there was. */
  #end(reason: unknown): unknown {
    if (this.#over === undefined) {
      this.#over = reason
      this.#child.kill('SIGKILL')
      this.#asked?.reject(reason)
    }
    return this.#over
  }
}

function argumentsFor({ path, sha256 }: CompilerFile, limits: CompilerLimits): string[] {
  return [
    '--disable-warning=ExperimentalWarning',
    ...permissionFlags([childFolder, packageFile, path]),
    // Costs a process that compiles once or twice a seventh more than it gains.
    '--no-wasm-inlining',
    `--wasm-max-mem-pages=${Math.ceil(limits.residentBytes / wasmPageBytes)}`,
    `--max-old-space-size=${Math.ceil(limits.residentBytes / 1024 / 1024)}`,
    `${childFolder}main.ts`,
    path,
    sha256,
    String(limits.compileMs),
    String(limits.outputBytes),
  ]
}

/** For a process that may read these files and folders, and has no use of others, of processes and of threads. */
export function permissionFlags(readable: readonly string[]): string[] {
  const reads = readable.map((path) => `--allow-fs-read=${path}`)
  return ['--permission', ...reads, '--disallow-code-generation-from-strings']
}

function isOutOfMemory(words: string): boolean {
  return /out of memory|OOM|enlarge memory|Cannot allocate|Array buffer allocation failed/i.test(words)
}

function limitError(what: string): LedgerError {
  return new LedgerError('compilation_limit', `The compilation was ended. ${what}`)
}

/** Resident memory of another process; undefined once it is gone. Where the system shows it as no file, `ps` tells it. */
async function residentBytes(pid: number): Promise<number | undefined> {
  try {
    if (process.platform !== 'linux')
      return 1024 * Number((await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout.trim())
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kibibytes === undefined ? undefined : 1024 * Number(kibibytes)
  } catch {
    return undefined
  }
}
