import type { Command } from 'commander'
import { addAcceptLoss } from '#src/cli/verbs/status/accept-loss.ts'
import { addCommandVerb } from '#src/cli/verbs/status/command-verb.ts'
import { addDefaultPage } from '#src/cli/verbs/status/default-page.ts'
import { addDrafts } from '#src/cli/verbs/status/drafts.ts'
import { addLookVerbs } from '#src/cli/verbs/status/look-verbs.ts'
import { statusVerbs } from '#src/cli/verbs/status/verbs.ts'

/** `ledger-history status incident open …`: writes to the status page from the machine that has its decisions. */
export function addStatusVerbs(group: Command): void {
  for (const noun of new Set(statusVerbs.map((each) => each.noun))) {
    const own = statusVerbs.filter((verb) => verb.noun === noun)
    const looks = noun === 'page' ? ['show'] : ['list', 'show']
    const names = [...looks, ...own.map(({ verb }) => verb)]
    const parent = group.command(noun).description(`Of the status page: ${names.join(', ')}`)
    addLookVerbs(parent, noun)
    for (const each of own) addCommandVerb(parent, each)
  }
  addDefaultPage(
    group,
    'setup',
    'Make the page and the components of a deployment, as far as they are not there',
    false,
  )
  addDefaultPage(
    group,
    'demo',
    'The same, with ninety days of made-up incidents, to see what the page looks like',
    true,
  )
  addDrafts(group)
  addAcceptLoss(group)
}
