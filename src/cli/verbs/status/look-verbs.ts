import type { Command } from 'commander'
import type { StatusView } from '#commands/status/state.ts'
import { counted } from '#src/cli/counted.ts'
import { deploymentGroups } from '#src/cli/importing/next-command.ts'
import { addConfigOptions } from '#src/cli/options.ts'
import { runVerb, type VerbContext } from '#src/cli/run-verb.ts'
import { wholeNumber } from '#src/cli/verbs/projections/options.ts'
import { completeId, idsOf } from '#src/cli/verbs/status/complete-id.ts'
import { type Entry, entriesOf, entryOf, type ToldUpdate, updatesOf } from '#src/cli/verbs/status/look.ts'
import type { Noun } from '#src/cli/verbs/status/verbs.ts'
import type { DecisionStore } from '#src/ports/decision-store.ts'

interface Options {
  readonly open?: boolean
  readonly limit?: string
  readonly json?: boolean
}

const over: ReadonlySet<string> = new Set(['resolved', 'postmortem', 'completed'])

/** `list` and `show`: what is there, so that nobody has to keep the answers of earlier commands. */
export function addLookVerbs(parent: Command, noun: Noun): void {
  if (noun !== 'page') addList(parent, noun)
  addShow(parent, noun)
}

function addList(parent: Command, noun: Noun): void {
  const command = parent.command('list').description(`List ${noun}s${noun === 'component' ? '' : ', newest first'}`)
  addConfigOptions(command, [...deploymentGroups, 'log'])
  if (noun !== 'component') command.option('--open', 'those that are not over')
  command.option('--limit <n>', 'most to list', '50').option('--json', 'print JSON')
  command.addHelpText('after', `\nExamples:\n  ledger-history status ${noun} list --data data`)
  command.action(() =>
    runVerb(command, async (context) => {
      const { open = false, limit, json = false } = command.opts<Options>()
      const all = await look(context, async (view) => entriesOf(view, noun))
      const wanted = open ? all.filter(({ status }) => !over.has(status)) : all
      const listed = wanted.slice(0, wholeNumber(limit, '--limit') ?? wanted.length)
      context.terminal.print(json ? JSON.stringify(listed) : formatList(listed, wanted.length, noun))
    }),
  )
}

function formatList(listed: readonly Entry[], total: number, noun: Noun): string {
  const widest = Math.max(0, ...listed.map(({ status }) => status.length))
  const lines = listed.map(({ id, status, name, ...entry }) => {
    const when = entry['started_at'] ?? entry['scheduled_for']
    return [id, status.padEnd(widest), ...(typeof when === 'string' ? [when.slice(0, 16)] : []), name].join('  ')
  })
  const more = total > listed.length ? [`${total - listed.length} more; --limit ${total} lists all`] : []
  return [...lines, ...(total === 0 ? [counted(0, noun)] : more)].join('\n')
}

function addShow(parent: Command, noun: Noun): void {
  const command = parent.command('show').description(noun === 'page' ? 'Show its settings' : `Show one ${noun}`)
  if (noun !== 'page') command.argument('<id>', 'its id, or a beginning that no other one has')
  addConfigOptions(command, [...deploymentGroups, 'log'])
  command.option('--json', 'print JSON')
  const example = noun === 'page' ? '' : ' 7gv'
  command.addHelpText('after', `\nExamples:\n  ledger-history status ${noun} show${example} --data data`)
  command.action((id: unknown) =>
    runVerb(command, async (context) => {
      const { json = false } = command.opts<Options>()
      const shown = await look(context, (view, store) => showOf(view, store, noun, String(id)))
      context.terminal.print(json ? JSON.stringify(shown) : formatShown(shown))
    }),
  )
}

async function showOf(view: StatusView, store: DecisionStore, noun: Noun, beginning: string): Promise<object> {
  if (noun === 'page') return view.page ?? {}
  const entry = entryOf(view, noun, completeId(beginning, idsOf(view, noun), noun))
  if (noun === 'component') return entry
  return { ...entry, updates: updatesOf(await store.readStream(`${noun}-${entry.id}`)) }
}

/** A line for each detail, and the updates with their ids, which `edit` takes. */
function formatShown({ updates, ...details }: { readonly updates?: readonly ToldUpdate[] }): string {
  const lines = Object.entries(details).map(([name, value]) => {
    return `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`
  })
  const told = (updates ?? []).map(({ id, status, display_at, body }) => {
    return `${display_at}  ${id}  ${status}\n${body.replace(/^/gm, '  ')}`
  })
  return [...lines, ...told].join('\n')
}

async function look<T>(context: VerbContext, read: (view: StatusView, store: DecisionStore) => Promise<T>): Promise<T> {
  const { withService } = await import('#src/cli/verbs/status/status-service.ts')
  return withService(context, async (service, store) => read(await service.settled(), store))
}
