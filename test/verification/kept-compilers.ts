import { getCompilerFile } from '#src/adapters/solc/compiler-files.ts'
import { CompilerProcess } from '#src/adapters/solc/compiler-process.ts'
import { defaultCompilerLimits } from '#src/adapters/solc/limits.ts'
import type { Compilers } from '#src/ports/compilers.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** Bundled compilers of which each is loaded once: the product has a process for every request, which costs a test its time. */
export async function keptCompilers(): Promise<Compilers> {
  const folder = await temporaryFolder()
  const loaded = new Map<string, CompilerProcess>()
  const processOf = (version: string) => {
    const file = getCompilerFile(folder.path, version)
    const known = loaded.get(file.sha256)
    if (known?.isUsable) return known
    const made = new CompilerProcess({ file, limits: defaultCompilerLimits, folder: folder.path })
    loaded.set(file.sha256, made)
    return made
  }
  return {
    list: async () => [...loaded.values()].map(({ file }) => file),
    use: async (version, work) => {
      const compiler = processOf(version)
      return work((input) => compiler.compile(input), compiler.file)
    },
    close: async () => {
      for (const compiler of loaded.values()) compiler.end(new Error('closed'))
      await folder.remove()
    },
  }
}
