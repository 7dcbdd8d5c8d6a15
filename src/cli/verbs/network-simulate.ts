import { resolve } from 'node:path'
import type { Command } from 'commander'
import { counted } from '#src/cli/counted.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb, stopsSoon } from '#src/cli/run-verb.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { systemClock } from '#src/ports/clock.ts'

const examples = `
Examples:
  ledger-history network simulate --out ./streams --blocks 100
  ledger-history network simulate --out ./streams --blocks 1000 --transactions-per-second 5000 --mix transfers --seed a
  ledger-history network simulate --out ./streams --paced              in step with the clock, until Ctrl-C`

interface Options {
  readonly out: string
  readonly blocks?: string
  readonly paced?: boolean
}

export function addNetworkSimulate(group: Command): void {
  const command = group
    .command('simulate')
    .description('Write the record files or the blocks of a simulated network into a folder')
  addConfigOptions(command, ['simulation', 'source.stream', 'log'])
  command.requiredOption(
    '--out <folder>',
    'folder to write to; shaped like a bucket, with the address book as address-book.bin',
  )
  command.option('--blocks <n>', 'blocks to write, then end')
  command.option('--paced', 'one block per --block-seconds of the clock instead of as fast as possible')
  command.addHelpText('after', examples)
  command.action(() =>
    runVerb(
      command,
      async ({ config, terminal, signal }) => {
        const { out, blocks, paced = false } = command.opts<Options>()
        const folder = resolve(out)
        const blocksMax = blocksOf(blocks, paced)
        const { signerOf, simulatorOptions } = await import('#src/cli/roles/simulate.ts')
        const { simulateAlone } = await import('#src/cli/simulate-alone.ts')
        let count = 0
        let transactions = 0
        const options = simulatorOptions(config)
        await simulateAlone({
          folder,
          options,
          signer: await signerOf(options),
          paced,
          clock: systemClock,
          signal,
          ...(blocksMax === undefined ? {} : { blocks: blocksMax }),
          onBlock: (block) => {
            count += 1
            transactions += block.transactionCount
            terminal.setStatus(`${counted(count, 'block')}, ${counted(transactions, 'transaction')}`)
          },
        })
        terminal.setStatus('')
        terminal.print(
          `Wrote ${counted(count, 'block')} with ${counted(transactions, 'transaction')} to ${folder}; next: ledger-history start --source ${folder} --once --data ./data-simulated`,
        )
      },
      stopsSoon,
    ),
  )
}

function blocksOf(blocks: string | undefined, paced: boolean): number | undefined {
  if (blocks === undefined && paced) return undefined
  const count = Number(blocks)
  if (Number.isInteger(count) && count > 0) return count
  throw new LedgerError(
    'config_invalid',
    `--blocks must be a whole number above 0, not ${blocks === undefined ? 'missing' : `"${blocks}"`}; only --paced runs without it`,
  )
}
