import type { Command } from 'commander'
import { addCompiler } from '#src/adapters/solc/add-compiler.ts'
import { findCompilers } from '#src/adapters/solc/compiler-files.ts'
import { compilersFolder } from '#src/cli/data-folder.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'

const settings = ['data', 'log'] as const

const listExamples = `
Examples:
  ledger-history verification compilers list
  ledger-history verification compilers list --json | jq -r '.[].longVersion'`

const addExamples = `
Nothing is kept but the very file whose sha256 this version knows. npm fetches it, with the registry and proxy that it is set
to; a machine without one takes a file that was brought there. What runs already finds it, nothing has to be started again.

Examples:
  ledger-history verification compilers add 0.8.21
  ledger-history verification compilers add 0.8.7+commit.e28d00a7 --data data-files
  ledger-history verification compilers add 0.8.21 --file ./soljson.js`

/** Compilers that contracts are verified with: `compilers list|add`. */
export function addCompilerVerbs(group: Command): void {
  const compilers = group.command('compilers').description('Compilers that contracts are verified with: list, add')
  compilers.addHelpText('after', '\nExamples:\n  ledger-history verification compilers list')
  addList(compilers)
  addAdd(compilers)
}

function addList(compilers: Command): void {
  const command = compilers.command('list').description('List the compilers that are here, oldest first')
  addConfigOptions(command, settings)
  command.option('--json', 'print JSON').addHelpText('after', listExamples)
  command.action(() =>
    runVerb(command, async ({ config, terminal }) => {
      const found = findCompilers(compilersFolder(config))
      if (command.opts<{ json?: boolean }>().json === true) terminal.print(JSON.stringify(found))
      else if (found.length === 0) terminal.print('None; next: ledger-history verification compilers add 0.8.30')
      else for (const { longVersion, origin, path } of found) terminal.tell(`${longVersion}  ${origin}  ${path}`)
    }),
  )
}

function addAdd(compilers: Command): void {
  const command = compilers.command('add').description('Add a release of the Solidity compiler')
  command.argument('<version>', 'release, as 0.8.21 or 0.8.21+commit.d9974bed')
  addConfigOptions(command, settings)
  command.option('--file <path>', 'take this soljson.js instead of fetching it').addHelpText('after', addExamples)
  command.action((version: string) =>
    runVerb(command, async ({ config, terminal, signal }) => {
      const { file } = command.opts<{ file?: string }>()
      const path = await addCompiler({ folder: compilersFolder(config), version, file, signal })
      terminal.tell(`Added ${path}; next: ledger-history verification compilers list`)
    }),
  )
}
