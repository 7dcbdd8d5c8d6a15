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

interface Spare {
  readonly compiler: CompilerProcess
  readonly timer: NodeJS.Timeout
}

/** Compilers of npm and of a folder, each request with a process of its own, which is loaded beforehand where it was expected. */
export function openCompilers({ folder, limits: given }: CompilersOptions): Compilers {
  const limits = { ...defaultCompilerLimits, ...given }
  // Made once something is compiled, so that a process that is killed before leaves nothing behind.
  let emptyFolder: string | undefined
  const places = createPlaces(limits)
  const closing = new AbortController()
  const running = new Set<CompilerProcess>()
  /** By sha256, the one used last at the end. */
  const spares = new Map<string, Spare>()

  const start = (file: CompilerFile) => {
    emptyFolder ??= mkdtempSync(join(tmpdir(), 'ledger-history-compilers-'))
    return new CompilerProcess({ file, limits, folder: emptyFolder })
  }

  const take = (file: CompilerFile): CompilerProcess => {
    const spare = spares.get(file.sha256)
    if (spare) dropSpare(file.sha256)
    return spare?.compiler.isUsable ? spare.compiler : start(file)
  }

  const dropSpare = (sha256: string): CompilerProcess | undefined => {
    const spare = spares.get(sha256)
    clearTimeout(spare?.timer)
    spares.delete(sha256)
    return spare?.compiler
  }

  /** Loads one for the next request of the version; none while others wait, who need the processor more. */
  const prepare = (file: CompilerFile): void => {
    if (limits.spares === 0 || closing.signal.aborted || places.waiting > 0) return
    const endSpare = (sha256: string) => dropSpare(sha256)?.end(unused())
    endSpare(file.sha256)
    for (const sha256 of [...spares.keys()].slice(0, Math.max(0, spares.size - limits.spares + 1))) endSpare(sha256)
    const timer = setTimeout(() => endSpare(file.sha256), limits.spareMs)
    timer.unref()
    const compiler = start(file)
    for (let round = 0; round < warmUpRounds; round++) compiler.warmUp(warmUpInput)
    spares.set(file.sha256, { compiler, timer })
  }

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
      return await useOne(file, work, signal)
    } finally {
      leave()
      prepare(file)
    }
  }

  const useOne = async <T>(
    file: CompilerFile,
    work: (compile: Compile, compiler: Compiler) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> => {
    let compiler = take(file)
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

  return {
    list: async () => findCompilers(folder).map(toldOf),
    use,
    close: async () => {
      closing.abort(new LedgerError('unavailable', 'Compilers are closed, since the process stops'))
      const all = [...running, ...[...spares.keys()].map(dropSpare)]
      for (const compiler of all) compiler?.end(closing.signal.reason)
      await Promise.all(all.map((compiler) => compiler?.ended))
      if (emptyFolder !== undefined) rmSync(emptyFolder, { recursive: true, force: true })
    },
  }
}

function toldOf({ version, longVersion, sha256, origin }: CompilerFile): Compiler {
  return { version, longVersion, sha256, origin }
}

function unused(): LedgerError {
  return new LedgerError('compilation_failed', 'The compiler was handed back, and does no more')
}
