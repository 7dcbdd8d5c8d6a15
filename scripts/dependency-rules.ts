import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A source file: path from the repository's root with `/`, and its text. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

interface Rule {
  readonly files: RegExp
  /** Paths (from the root, as imported) that such files must not import. */
  readonly forbidden: RegExp
  /** Only these exports of them. */
  readonly names?: RegExp
  readonly reason: string
}

const core =
  /^(src\/(events|ports|operations|topics|runtime|importer|simulator|http|config|evm)|projections|commands|queries)\//

const rules: readonly Rule[] = [
  {
    files: /^src\/domain\//,
    forbidden: /^(?!src\/domain\/|@noble\/hashes\/|@ethereumjs\/rlp$|node:crypto$)/,
    reason: 'the domain imports nothing but itself, pure cryptography and encodings',
  },
  {
    files: /^src\/tss\//,
    forbidden: /^(?!src\/(domain|tss)\/|@noble\/|mcl-wasm$|node:crypto$)/,
    reason: 'proofs of the network are checked by mathematics alone',
  },
  {
    files: /^src\/evm\//,
    forbidden: /^(src\/(?!domain|evm|runtime\/process)|projections|queries|commands)/,
    reason: 'contracts run on facts that they are handed, wherever those are kept',
  },
  {
    files: /^src\/verification\//,
    forbidden: /^(src\/(?!domain|verification|evm\/abi|ports)|projections|queries|commands)/,
    reason: 'sources are compared with code that is handed over, whoever compiles and wherever it is kept',
  },
  { files: core, forbidden: /^src\/(adapters|cli)\//, reason: 'only src/cli knows adapters' },
  {
    files: /^src\/adapters\//,
    forbidden: /^(src\/(cli|http|importer|simulator|operations|topics|runtime)|projections|queries|commands)\//,
    reason: 'adapters know only ports, domain and events',
  },
  {
    files: /^src\/(ports|events)\//,
    forbidden: /^(src\/(?!ports|events|domain)|projections|queries|commands)/,
    reason: 'ports and events know only the domain and each other',
  },
  {
    files: /^schemas\//,
    forbidden: /^(src\/(?!ports|events|domain)|projections|queries|commands)/,
    reason: 'what is written down depends on nothing that writes or reads it',
  },
  {
    files: /^commands\//,
    forbidden: /^(queries|projections|src\/(runtime\/(?!process)|importer|http))\//,
    reason: 'deciding knows no read model and no transport',
  },
  {
    files: /^src\/operations\//,
    forbidden: /^src\/runtime\//,
    reason: 'what operators decide does not know what carries it out',
  },
  {
    files: /^src\/runtime\/process\//,
    forbidden: /^src\/runtime\/(?!process)/,
    reason: 'the process knows none of the rooms that it runs',
  },
  {
    files: /^src\/runtime\/lists\//,
    forbidden: /^src\/runtime\/(?!lists)/,
    reason: 'lists are written by folding and read by queries, and know neither',
  },
  {
    files: /^src\/runtime\/fold\//,
    forbidden: /^src\/runtime\/(?!fold|lists|process)/,
    reason: 'folding does not know who watches, replays or serves',
  },
  {
    files: /^src\/runtime\/watch\//,
    forbidden: /^src\/runtime\/(replay|serve)\//,
    reason: 'watching does not know who is watched',
  },
  {
    files: /^projections\//,
    forbidden: /^(queries|commands|src\/http)\//,
    reason: 'projections do not know who reads them',
  },
  {
    files: /^queries\//,
    forbidden: /^projections\/(?![^/]+\/((schema|render|packing)(-\d+)?\.ts|packing\/))/,
    reason:
      'queries know the shape of rows, how columns are packed and what is rendered with the fold, never the fold itself',
  },
  {
    files: /^queries\//,
    forbidden: /^projections\//,
    names: /^(pack|encode)[A-Z]/,
    reason: 'what is stored is written by folds',
  },
  {
    files: /^(?!test\/|scripts\/)/,
    forbidden: /^(test|scripts)\//,
    reason: 'the product does not import tests or scripts',
  },
]

const importPattern =
  /(?:^|[^\w.'"`])(?:import|export)\s*(?:([\w*\s{},$]*?)\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm
const sourceFolders = ['src', 'projections', 'commands', 'queries', 'schemas', 'scripts', 'test']

/** Every broken rule, as `file imports x: reason`. */
export function findDependencyProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => [...importProblems(file), ...environmentProblems(file), ...codeProblems(file)])
}

function importProblems(file: SourceFile): string[] {
  const problems: string[] = []
  for (const { imported, names } of importsOf(file)) {
    for (const { files, forbidden, reason, names: ofThese } of rules) {
      if (!files.test(file.path) || !forbidden.test(imported)) continue
      const found = ofThese === undefined ? [imported] : names.filter((name) => ofThese.test(name))
      problems.push(...found.map((each) => `${file.path} imports ${each}: ${reason}`))
    }
  }
  return problems
}

interface Import {
  /** Path from the root for files of this repository, the specifier for everything else. */
  readonly imported: string
  readonly names: readonly string[]
}

function importsOf({ path, text }: SourceFile): Import[] {
  return [...text.matchAll(importPattern)].map(([, clause = '', ofStatement, ofCall]) => {
    const specifier = ofStatement ?? ofCall ?? ''
    const names = clause.match(/[\w$]+/g) ?? []
    if (specifier.startsWith('#')) return { imported: specifier.slice(1), names }
    const isRelative = specifier.startsWith('.')
    return { imported: isRelative ? posix.join(posix.dirname(path), specifier) : specifier, names }
  })
}

function environmentProblems({ path, text }: SourceFile): string[] {
  const exempt = /^(src\/config|test|scripts)\//.test(path)
  return !exempt && /\bprocess\.env\b|\benv\b[^\n]*from 'node:process'/.test(text)
    ? [`${path} reads process.env: only src/config does, and passes values on`]
    : []
}

function codeProblems({ path, text }: SourceFile): string[] {
  const exempt = path === 'src/domain/compile.ts' || /^(test|scripts)\//.test(path)
  return !exempt && /\bnew Function\b|\beval\(/.test(text)
    ? [`${path} makes code at run time: only src/domain/compile.ts does`]
    : []
}

/** All TypeScript files of the repository at `root`. */
export function readSourceFiles(root: string): SourceFile[] {
  return sourceFolders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        posix.join(folder, name.replaceAll('\\', '/')),
      ),
    )
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}
