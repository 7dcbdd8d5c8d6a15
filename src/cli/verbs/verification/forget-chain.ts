import { userInfo } from 'node:os'
import type { Command } from 'commander'
import { forgetChain } from '#commands/verification/forget-chain.ts'
import { deploymentGroups } from '#src/cli/importing/next-command.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { systemClock } from '#src/ports/clock.ts'

const examples = `
Examples:
  ledger-history verification forget-chain 296              after a reset of testnet
  ledger-history verification forget-chain 296 --data data  of another deployment`

/** For networks that begin anew. */
export function addForgetChain(group: Command): void {
  const command = group
    .command('forget-chain')
    .description('After a reset of a network: what was verified on it is verified no more')
    .argument('<id>', 'decimal id of the chain, such as 296')
  addConfigOptions(command, [...deploymentGroups, 'log'])
  command.addHelpText('after', examples)
  command.action((chain: string) =>
    runVerb(command, async (verb) => {
      if (!/^\d{1,20}$/.test(chain))
        throw new LedgerError('command_refused', `The chain ${chain} is not a decimal id such as 296`)
      const { withStatusGround } = await import('#src/cli/verbs/status/status-service.ts')
      await withStatusGround(verb, ({ decisions: store }) =>
        forgetChain(chain, { store, clock: systemClock, actor: userInfo().username }),
      )
      verb.terminal.tell(`Contracts of chain ${chain} are verified no more; they can be verified anew`)
    }),
  )
}
