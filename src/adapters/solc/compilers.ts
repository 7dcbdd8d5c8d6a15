import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CompilerFile, findCompilers, getCompilerFile } from '#src/adapters/solc/compiler-files.ts'
import { CompilerProcess } from '#src/adapters/solc/compiler-process.ts'
import { type CompilerLimits, defaultCompilerLimits } from '#src/adapters/solc/limits.ts'
import { createPlaces } from '#src/adapters/solc/places.ts'
import { warmUpInput, warmUpRounds } from '#src/adapters/solc/warm-up.ts'
import { LedgerError } from '#src/domain/errors.ts'
import type { Compile, Compiler, Compilers } from '#src/ports/compilers.ts'

export interface CompilersOptions {
  /** Where compilers are that operators add. */
  readonly folder: string
  readonly limits?: Partial<CompilerLimits>
}

/** Compilers of npm and of a folder, each request with a process of its own, which is loaded beforehand where it was expected. */
export function openCompilers({ folder, limits: given }: CompilersOptions): Compilers {
  const limits = { ...defaultCompilerLimits, ...given }
  // Made once something is compiled, so that a process that is killed before leaves nothing behind.
  let emptyFolder: string | undefined
  const places = createPlaces(limits)
  const closing = new AbortController()
  const running = new Set<CompilerProcess>()

  const start = (file: CompilerFile) => {
    emptyFolder ??= mkdtempSync(join(tmpdir(), 'ledger-history-compilers-'))
    return new CompilerProcess({ file, limits, folder: emptyFolder })
  }

  const spares = new Spares(limits, start)

  const use = async <T>(
    version: string,
    work: (compile: Compile, compiler: Compiler) => Promise<T>,
    asked: AbortSignal,
  ): Promise<T> => {
    const file = getCompilerFile(folder, version)
    const signal = AbortSignal.any([asked, closing.signal])
    const leave = await places.enter(signal)
    try {
      // Whoever gave up just now finds nothing that could still be stopped.
      signal.throwIfAborted()
      return await useOne({ file, spares, start, running, signal }, work)
    } finally {
      leave()
      // None while others wait, who need the processor more.
      if (!closing.signal.aborted && places.waiting === 0) spares.prepare(file)
    }
  }

  return {
    list: async () => findCompilers(folder).map(toldOf),
    use,
    close: async () => {
      closing.abort(new LedgerError('unavailable', 'Compilers are closed, since the process stops'))
      const all = [...running, ...spares.takeAll()]
      for (const compiler of all) compiler.end(closing.signal.reason)
      await Promise.all(all.map((compiler) => compiler.ended))
      if (emptyFolder !== undefined) rmSync(emptyFolder, { recursive: true, force: true })
    },
  }
}

interface Use {
  readonly file: CompilerFile
  readonly spares: Pick<Spares, 'take'>
  readonly start: (file: CompilerFile) => CompilerProcess
  /** Those that are in use. */
  readonly running: Set<CompilerProcess>
  readonly signal: AbortSignal
}

async function useOne<T>(
  { file, spares, start, running, signal }: Use,
  work: (compile: Compile, compiler: Compiler) => Promise<T>,
): Promise<T> {
  let compiler = spares.take(file) ?? start(file)
  const stop = () => compiler.end(signal.reason)
  running.add(compiler)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await compiler.warmed
    signal.throwIfAborted()
    if (!compiler.isUsable) {
      // What it was to compile beforehand ended it, which is nothing to the request.
      running.delete(compiler)
      compiler = start(file)
      running.add(compiler)
    }
    return await work((input) => compiler.compile(input), toldOf(file))
  } finally {
    signal.removeEventListener('abort', stop)
    compiler.end(unused())
    running.delete(compiler)
  }
}

interface Spare {
  readonly compiler: CompilerProcess
  readonly timer: NodeJS.Timeout
}

/** Compilers that were loaded for the next request of their version, and wait for it a while. */
class Spares {
  readonly #limits: CompilerLimits
  readonly #start: (file: CompilerFile) => CompilerProcess
  /** By sha256, the one used last at the end. */
  readonly #waiting = new Map<string, Spare>()

  constructor(limits: CompilerLimits, start: (file: CompilerFile) => CompilerProcess) {
    this.#limits = limits
    this.#start = start
  }

  take({ sha256 }: CompilerFile): CompilerProcess | undefined {
    const compiler = this.#remove(sha256)
    return compiler?.isUsable ? compiler : undefined
  }

  takeAll(): CompilerProcess[] {
    return [...this.#waiting.keys()].flatMap((sha256) => this.#remove(sha256) ?? [])
  }

  prepare(file: CompilerFile): void {
    const { spares, spareMs } = this.#limits
    if (spares === 0) return
    this.#end(file.sha256)
    for (const sha256 of [...this.#waiting.keys()].slice(0, Math.max(0, this.#waiting.size - spares + 1)))
      this.#end(sha256)
    const timer = setTimeout(() => this.#end(file.sha256), spareMs)
    timer.unref()
    const compiler = this.#start(file)
    for (let round = 0; round < warmUpRounds; round++) compiler.warmUp(warmUpInput)
    this.#waiting.set(file.sha256, { compiler, timer })
  }

  #end(sha256: string): void {
    this.#remove(sha256)?.end(unused())
  }

  #remove(sha256: string): CompilerProcess | undefined {
    const spare = this.#waiting.get(sha256)
    clearTimeout(spare?.timer)
    this.#waiting.delete(sha256)
    return spare?.compiler
  }
}

function toldOf({ version, longVersion, sha256, origin }: CompilerFile): Compiler {
  return { version, longVersion, sha256, origin }
}

function unused(): LedgerError {
  return new LedgerError('compilation_failed', 'The compiler was handed back, and does no more')
}
