import type { Command } from 'commander'
import { type DataFolder, folderOf } from '#src/cli/data-folder.ts'
import { enginesOf } from '#src/cli/engines.ts'
import { adoptGeneration } from '#src/cli/importing/adopt-generation.ts'
import { generationFrom, withImportDeployment } from '#src/cli/importing/import-deployment.ts'
import { deploymentGroups, nextCommand } from '#src/cli/importing/next-command.ts'
import { assertPromotable, assertRowsWhole, switchGeneration } from '#src/cli/importing/promote-generation.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb, type VerbContext } from '#src/cli/run-verb.ts'
import { LedgerError } from '#src/domain/errors.ts'

const examples = `
In one step the importer goes on in the new log, and every read model answers from its rows of it. The way back is the same
verb with the old number, for as long as that generation is not pruned.

Examples:
  ledger-history import promote 2
  ledger-history import promote 2 --dry-run          check whether it could be done
  ledger-history import promote 1 --allow-older      back to a log that has not grown since
  ledger-history import promote 2 --without-plan     after control.sqlite was lost`

interface Options {
  readonly reason?: string
  readonly allowOlder?: boolean
  readonly dryRun?: boolean
  readonly withoutPlan?: boolean
}

export function addImportPromote(group: Command): void {
  const command = group
    .command('promote')
    .argument('<generation>', 'number of the log generation')
    .description('Let a log generation, and the read models built from it, take the place of the serving one')
  addConfigOptions(command, [...deploymentGroups, 'api', 'log'])
  command.option('--reason <text>', 'why, instead of what was said when it was written')
  command.option(
    '--allow-older',
    'accept less history: answers that begin later than now, or end earlier until the importer has caught up',
  )
  command.option(
    '--without-plan',
    'make the plan anew from what lies there, where the one that said what serves is lost',
  )
  command.option('--dry-run', 'check whether it could be done, and change nothing').addHelpText('after', examples)
  command.action((text: string) =>
    runVerb(command, async (verb) => {
      const generation = generationFrom(text)
      const folder = folderOf(verb.config, undefined, 'existing')
      const { reason, allowOlder = false, dryRun = false, withoutPlan = false } = command.opts<Options>()
      if (withoutPlan && dryRun)
        throw new LedgerError('config_invalid', '--without-plan changes the plan alone; leave --dry-run out')
      if (withoutPlan) return promoteWithoutPlan(verb, folder, generation)
      await withImportDeployment(verb, folder, async (deployment) => {
        await assertPromotable(deployment, { generation, allowOlder })
        await assertRowsWhole(deployment, generation)
        if (dryRun) return verb.terminal.print(`Log generation ${generation} can be promoted`)
        const before = await switchGeneration(deployment, generation, reason)
        const next = (line: string): string => `    ${nextCommand(line, verb.loaded, command)}`
        Object.assign(verb.outcome, { generation, before })
        verb.terminal.print(
          [
            `Log generation ${generation} serves now; generation ${before} is kept`,
            '  way back:',
            next(`import promote ${before} --allow-older`),
            '  once nobody needs it, its rows and then its events:',
            next('projections prune --all'),
            next(`import prune ${before}`),
          ].join('\n'),
        )
      })
    }),
  )
}

async function promoteWithoutPlan(verb: VerbContext, folder: DataFolder, generation: number): Promise<void> {
  const engines = enginesOf(verb.config, folder, verb.logger)
  const stores = await engines.openStores({ withoutPlan: true })
  try {
    const found = await adoptGeneration({ engines, stores }, generation)
    const others = found.filter((each) => each !== generation)
    const kept = others.length === 0 ? '' : `; kept beside it: ${others.join(', ')}`
    verb.terminal.print(
      `Log generation ${generation} serves by a new plan${kept}. Read models answer once they are near the end of its log`,
    )
  } finally {
    await stores.close()
  }
}
