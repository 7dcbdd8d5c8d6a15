import { idFor } from '#commands/status/command-ids.ts'
import type { CommandOf, StatusCommand } from '#commands/status/commands.ts'
import type { StatusView } from '#commands/status/state.ts'
import type { StatusService } from '#commands/status/status-service.ts'
import type { Automation } from '#src/domain/status/words.ts'
import { addDays, type Day, dayAt } from '#src/domain/status/zoned-time.ts'

/** What to make, and whether it is there already. */
interface Planned {
  readonly command_id: string
  readonly command: StatusCommand
  readonly isThere: (view: StatusView) => boolean
}

const daysOfHistory = 90
const minuteMs = 60_000
const demoId = (what: string): string => idFor(`default/${what}`, 'id')

const components = [
  ['api', 'REST API', 'Answers requests for transactions, blocks, accounts and tokens.'],
  ['import', 'Import', 'Reads and verifies record files of the network.'],
  ['projections', 'Read models', 'Folds the events of the ledger into what the API answers from.'],
  ['page', 'Status page', 'This page and its API.'],
] as const
export type ComponentKey = (typeof components)[number][0]

/** The same in every deployment. */
export function defaultComponentId(key: ComponentKey): string {
  return demoId(key)
}

/** One step of a past incident: minutes after its beginning, the word, the text. */
type Step = readonly [minutes: number, status: string, body: string]

interface Story {
  readonly key: string
  readonly name: string
  /** Days before today, and the hour (UTC) of its beginning. */
  readonly daysAgo: number
  readonly hour: number
  readonly states: Partial<Record<ComponentKey, string>>
  readonly steps: readonly Step[]
}

const stories: readonly Story[] = [
  {
    key: 'slow-disk',
    name: 'Answers for accounts are slow',
    daysAgo: 81,
    hour: 9,
    states: { api: 'degraded_performance' },
    steps: [
      [0, 'investigating', 'Requests for accounts take several seconds. Other requests are not concerned.'],
      [25, 'identified', 'One of the disks that hold read models is slow. Requests are moved away from it.'],
      [60, 'monitoring', 'Answers are fast again. We replace the disk and keep watching.'],
      [150, 'resolved', 'The disk is replaced.'],
    ],
  },
  {
    key: 'late-files',
    name: 'Newest transactions arrive late',
    daysAgo: 47,
    hour: 14,
    states: { import: 'partial_outage', projections: 'degraded_performance' },
    steps: [
      [0, 'investigating', 'Record files of the network arrive minutes late. Answers are right, but not the newest.'],
      [40, 'identified', 'The bucket that record files are read from limits our requests.'],
      [75, 'monitoring', 'The limit is lifted and the import catches up.'],
      [110, 'resolved', 'The import is at the newest block again. Nothing is missing.'],
    ],
  },
  {
    key: 'certificate',
    name: 'Requests are refused',
    daysAgo: 19,
    hour: 6,
    states: { api: 'major_outage' },
    steps: [
      [0, 'investigating', 'Requests are refused while the connection is made.'],
      [12, 'identified', 'A certificate has expired.'],
      [21, 'resolved', 'The certificate is renewed, and from now on it is renewed a month before its end.'],
    ],
  },
  {
    key: 'projector',
    name: 'Balances are behind',
    daysAgo: 5,
    hour: 17,
    states: { projections: 'degraded_performance' },
    steps: [
      [0, 'identified', 'A projector was restarted and catches up; balances are some minutes old meanwhile.'],
      [18, 'resolved', 'Balances are up to date.'],
    ],
  },
]

export interface DefaultPageOptions {
  readonly actor: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Ninety made-up days. */
  readonly withHistory: boolean
  /** What the page is set to do where health rules find trouble; what a new page does unless given. */
  readonly automation?: Automation
}

/** The page of a deployment and its components, as they are before anybody changes them. */
function pageCommands(first: Day, automation: Automation | undefined): Planned[] {
  const made = components.map(([key, name, description], index): Planned => {
    const id = defaultComponentId(key)
    const facts = { id, name, description, position: index + 1, showcase: true, start_date: first }
    return {
      command_id: `default/component/${id}`,
      command: { type: 'CreateComponent', ...facts },
      isThere: (view) => view.components.has(id),
    }
  })
  const command = { type: 'ConfigurePage', name: 'ledger-history', ...(automation && { automation }) } as const
  return [{ command_id: 'default/page/', command, isThere: ({ page }) => page !== undefined }, ...made]
}

/** Made-up incidents count for the uptime of components that were made after them. */
function earlierStarts(first: Day): Planned[] {
  return components.map(([key]) => {
    const id = defaultComponentId(key)
    const isThere = ({ components: known }: StatusView): boolean => (known.get(id)?.start_date ?? first) <= first
    const command = { type: 'UpdateComponent', id, start_date: first } as const
    return { command_id: `default/start/${id}`, command, isThere }
  })
}

function pastIncident({ key, name, daysAgo, hour, states, steps }: Story, today: Day): Planned {
  const begin = Date.parse(`${addDays(today, -daysAgo)}T00:00:00.000Z`) + hour * 60 * minuteMs
  const held = Object.fromEntries(
    Object.entries(states).map(([component, status]) => [defaultComponentId(component as ComponentKey), status]),
  )
  const updates = steps.map(([minutes, status, body], index) => {
    const display_at = new Date(begin + minutes * minuteMs).toISOString()
    return { status, body, display_at, ...(index === 0 && { components: held }) }
  })
  const incident_id = demoId(key)
  const command: CommandOf<'RecordPastIncident'> = { type: 'RecordPastIncident', incident_id, name, updates }
  return {
    command_id: `default/incident/${incident_id}`,
    command,
    isThere: ({ incidents }) => incidents.has(incident_id),
  }
}

/**
 * Makes what is not there yet of the default page, with ninety days of made-up history where asked for. Returns how many
 * commands it took: none the second time, on whichever day.
 */
export async function writeDefaultPage(
  service: Pick<StatusService, 'execute' | 'settled'>,
  { actor, now, withHistory, automation }: DefaultPageOptions,
): Promise<number> {
  const today = dayAt(now, 'Etc/UTC')
  const first = withHistory ? addDays(today, 1 - daysOfHistory) : today
  const history = withHistory ? [...earlierStarts(first), ...stories.map((story) => pastIncident(story, today))] : []
  let count = 0
  for (const { command_id, command, isThere } of [...pageCommands(first, automation), ...history]) {
    if (isThere(await service.settled())) continue
    await service.execute(command, { actor, role: 'operator', command_id })
    count += 1
  }
  return count
}
