import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CompilerFile } from '#src/adapters/solc/compiler-files.ts'
import { CompilerProcess } from '#src/adapters/solc/compiler-process.ts'
import { type CompilerLimits, defaultCompilerLimits } from '#src/adapters/solc/limits.ts'

const madeVersion = '0.8.99+commit.00000000'

/** The text of a file that is loaded like a compiler, and whose answer to an input is what `answer` (JavaScript, of `input`) says. */
export function compilerText(answer: string): string {
  return `var Module = { HEAPU8: new Uint8Array(65536) }
    var put = function (text) {
      if (text.length > 60000) Module.HEAPU8 = new Uint8Array(text.length + 1)
      for (var i = 0; i < text.length; i++) Module.HEAPU8[i] = text.charCodeAt(i)
      Module.HEAPU8[text.length] = 0
      return 0
    }
    Module._malloc = function () { return 0 }
    Module._free = function () {}
    Module._solidity_version = function () { return put('${madeVersion}.Emscripten.clang') }
    Module._solidity_compile = function (pointer) {
      var input = String.fromCharCode.apply(null, Module.HEAPU8.subarray(0, Module.HEAPU8.indexOf(0)))
      return put(String((function () { ${answer} })()))
    }`
}

export function writeCompiler(folder: string, text: string, changes: Partial<CompilerFile> = {}): CompilerFile {
  const sha256 = createHash('sha256').update(text).digest('hex')
  const path = join(folder, `soljson-${sha256.slice(0, 8)}.js`)
  writeFileSync(path, text)
  return { version: '0.8.99', longVersion: madeVersion, sha256, origin: 'added', path, ...changes }
}

export function startCompiler(
  folder: string,
  file: CompilerFile,
  limits: Partial<CompilerLimits> = {},
): CompilerProcess {
  return new CompilerProcess({ file, limits: { ...defaultCompilerLimits, ...limits }, folder })
}
