import type { Command } from 'commander'
import type { Draft } from '#commands/status/health/drafts.ts'
import { deploymentGroups, quoted } from '#src/cli/importing/next-command.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb } from '#src/cli/run-verb.ts'
import { statusVerbs } from '#src/cli/verbs/status/verbs.ts'

export function addDrafts(group: Command): void {
  const command = group.command('drafts').description('List what the rules over live health leave to a person to tell')
  addConfigOptions(command, [...deploymentGroups, 'log'])
  command.option('--json', 'print them as JSON, with the command that publishes each')
  command.addHelpText('after', '\nExamples:\n  ledger-history status drafts --data data')
  command.action(() =>
    runVerb(command, async (context) => {
      const { withService } = await import('#src/cli/verbs/status/status-service.ts')
      const { draftsOf } = await import('#commands/status/health/drafts.ts')
      const drafts = draftsOf(await withService(context, (service) => service.settled()))
      const { json } = command.opts<{ json?: boolean }>()
      const lines = drafts.length === 0 ? ['Nothing waits for a person'] : drafts.map(formatDraft)
      context.terminal.print(json ? JSON.stringify(drafts) : lines.join('\n'))
    }),
  )
}

/** The change, and the verb that publishes it as it is. */
function formatDraft({ at, command, command_id }: Draft): string {
  const { noun, verb, id, fields } = statusVerbs.find(({ type }) => type === command.type)!
  const content: Readonly<Record<string, unknown>> = { ...command }
  const flags = fields.flatMap(({ flag, field }) => {
    const value = content[field]
    if (value === undefined) return []
    const [name = ''] = flag.split(' ')
    if (typeof value === 'string') return [`${name} ${quoted(value)}`]
    return Object.entries(value as object).map(([key, state]) => `${name} ${key}=${state}`)
  })
  const named = id === undefined ? [] : [String(content[id])]
  const words = ['ledger-history status', noun, verb, ...named, ...flags, `--command-id ${quoted(command_id)}`]
  return `${at}  ${content['body']}\n  next: ${words.join(' ')}`
}
