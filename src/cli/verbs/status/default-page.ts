import { userInfo } from 'node:os'
import type { Command } from 'commander'
import { counted } from '#src/cli/counted.ts'
import { deploymentGroups } from '#src/cli/importing/next-command.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { systemClock } from '#src/ports/clock.ts'

export function addDefaultPage(group: Command, verb: string, description: string, withHistory: boolean): void {
  const command = group.command(verb).description(description)
  addConfigOptions(command, [...deploymentGroups, 'log'])
  command.addHelpText('after', `\nExamples:\n  ledger-history status ${verb} --data data`)
  command.action(() =>
    runVerb(command, async (context) => {
      const { withService } = await import('#src/cli/verbs/status/status-service.ts')
      const { writeDefaultPage } = await import('#commands/status/default-page.ts')
      const request = { actor: userInfo().username, now: systemClock.now(), withHistory }
      const written = await withService(context, (service) => writeDefaultPage(service, request))
      context.terminal.print(
        written === 0 ? 'Everything is there already' : `Carried out ${counted(written, 'command')}`,
      )
    }),
  )
}
