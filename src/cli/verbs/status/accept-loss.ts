import type { Command } from 'commander'
import { deploymentGroups, nextCommand } from '#src/cli/importing/next-command.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import type { StatusGround } from '#src/cli/verbs/status/status-service.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { seenOf } from '#src/events/decisions.ts'
import { giveUpLostDecisions, readSeenDecision } from '#src/operations/seen-decisions.ts'
import type { SeenDecision } from '#src/ports/decision-store.ts'

const examples = `
Examples:
  ledger-history status accept-loss --data data --dry-run   what is there, and what was seen
  ledger-history status accept-loss --data data             go on with what is there`

/** For decisions that nobody can bring back. */
export function addAcceptLoss(group: Command): void {
  const command = group
    .command('accept-loss')
    .description('Go on with the decisions that are there, where others are lost')
  addConfigOptions(command, [...deploymentGroups, 'log'])
  command.option('--dry-run', 'only tell what is there, and what was seen').addHelpText('after', examples)
  command.action(() =>
    runVerb(command, async (verb) => {
      const { withStatusGround } = await import('#src/cli/verbs/status/status-service.ts')
      const { dryRun = false } = command.opts<{ dryRun?: boolean }>()
      const lines = await withStatusGround(verb, (ground) => acceptLoss(ground, dryRun))
      const next = (words: string): string => nextCommand(words, verb.loaded, command)
      // The page shows what is lost until it is made from what is there.
      const rebuild = `next: ${next('projections rebuild status')}`
      const promote = `then: ${next('projections promote status --allow-older')}`
      verb.terminal.print([...lines, ...(dryRun ? [] : [rebuild, promote])].join('\n'))
    }),
  )
}

async function acceptLoss({ decisions, stores }: StatusGround, dryRun: boolean): Promise<string[]> {
  if (stores === undefined)
    throw new LedgerError('store_unavailable', 'What was seen stands in the store of the read models')
  const newest = await decisions.newest()
  const there = newest && seenOf(newest)
  const lines = [
    `Seen:  ${formatDecision(await readSeenDecision(stores.controlStore))}`,
    `There: ${formatDecision(there)}`,
  ]
  if (dryRun) return lines
  await giveUpLostDecisions(stores.controlStore, there)
  return [...lines, 'From now on the decisions are those that are there']
}

function formatDecision(decision: SeenDecision | undefined): string {
  if (decision === undefined) return 'none'
  const { position, stream, revision } = decision
  return `position ${position}, revision ${revision} of ${stream}`
}
