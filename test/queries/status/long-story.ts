import type { StatusEvent } from '#commands/status/events.ts'
import type { ComponentStatus } from '#src/domain/status/words.ts'
import { componentsCreated, event, incidentTold, maintenanceTold, pageConfigured } from '#test/queries/status/story.ts'

/** The instant at which the story is looked at. */
export const storyNow = '2026-06-10T12:00:00.000Z'
export const hostileText = '<img src=x onerror="document.title=1"> & <script>document.title=2</script>'

const dayMs = 86_400_000
const made = '2026-01-01T00:00:00.000Z'
const ago = (days: number, hours = 0): string =>
  new Date(Date.parse(storyNow) - days * dayMs + hours * 3_600_000).toISOString()

const names: readonly (readonly [id: string, name: string, group: string | null])[] = [
  ['grp0000reads', 'Reads', null],
  ['cmp000000001', 'REST', 'grp0000reads'],
  ['cmp000000002', 'Fees', 'grp0000reads'],
  ['grp0000files', 'Import', null],
  ['cmp000000003', 'Record files', 'grp0000files'],
  ['cmp000000004', 'Projections', 'grp0000files'],
  ['cmp000000005', 'Verification', null],
  ['cmp000000006', 'Event store', null],
]

export const storyComponents = names.map(([id, name, group_id]) => ({
  id,
  name,
  group_id,
  group: id.startsWith('grp'),
  description: id === 'cmp000000005' ? 'Compares sources with code' : null,
  created_at: made,
  showcase: group_id === null,
  start_date: id === 'cmp000000006' ? '2026-05-01' : '2026-01-01',
  only_show_if_degraded: false,
}))

type Step = readonly [status: string, at: string, body: string, changes?: Readonly<Record<string, ComponentStatus>>]

/** An incident or maintenance of these steps, oldest first. */
function steps(
  id: string,
  name: string,
  all: readonly Step[],
  plan: { scheduled_for?: string; scheduled_until?: string } = {},
) {
  const incident_updates = all.map(([status, at, body, changes = {}], index) => ({
    id: `${id.slice(0, 10)}${String(index + 1).padStart(2, '0')}`,
    status,
    body,
    created_at: at,
    display_at: at,
    deliver_notifications: true,
    affected_components: Object.entries(changes).map(([code, new_status]) => ({
      code,
      new_status,
      // Only what changes counts for the story.
      old_status: new_status === 'operational' ? ('major_outage' as const) : ('operational' as const),
    })),
  }))
  const components = Object.keys(Object.assign({}, ...all.map(([, , , changes = {}]) => changes))).map((each) => ({
    id: each,
  }))
  return { id, name, impact: 'none' as const, incident_updates: incident_updates.toReversed(), components, ...plan }
}

const outage = steps('inc000000001', 'Reads are down', [
  ['investigating', ago(40), 'Most reads fail.', { cmp000000001: 'major_outage' }],
  ['identified', ago(40, 1), 'A disk is full, see `df -h`.', { cmp000000001: 'partial_outage' }],
  ['resolved', ago(40, 3), 'The incident is over.'],
  ['postmortem', ago(38), '**What happened**: a log was not rotated.\nWhat we changed: https://example.org/a?b=c&d=e.'],
])
const open = steps('inc000000002', `Files are late ${hostileText}`, [
  ['investigating', ago(0, -2), `Some files are late. ${hostileText}`, { cmp000000003: 'degraded_performance' }],
  ['monitoring', ago(0, -1), 'A fix is in place and we are watching.', { cmp000000003: 'operational' }],
])
const past = steps(
  'mnt000000001',
  'Disk exchange',
  [
    ['scheduled', ago(9), 'No interruption is expected.'],
    ['in_progress', ago(5), 'The maintenance has begun.', { cmp000000006: 'under_maintenance' }],
    ['completed', ago(5, 2), 'The maintenance is finished.'],
  ],
  { scheduled_for: ago(5), scheduled_until: ago(5, 2) },
)
const coming = steps(
  'mnt000000002',
  'Upgrade of the store',
  [['scheduled', ago(1), 'Reads go on.', { cmp000000006: 'operational' }]],
  {
    scheduled_for: ago(-3),
    scheduled_until: ago(-3, 2),
  },
)

/** Ninety days of a page: outages, an open incident with text that means harm, maintenances past and planned. */
export const longStory: readonly StatusEvent[] = [
  pageConfigured({ id: 'page00000001', name: 'Ledger', url: 'https://status.example.org' }, made),
  ...componentsCreated(storyComponents),
  ...incidentTold(outage),
  event('ComponentStatusSet', { component_id: 'cmp000000005', status: 'partial_outage', at: ago(20) }),
  event('ComponentStatusCleared', { component_id: 'cmp000000005', at: ago(20, 2) }),
  event('ComponentHealthChanged', {
    component_id: 'cmp000000006',
    status: 'operational',
    evidence: {
      metric: 'projection_lag_seconds',
      value: 28_200_004.73,
      reason: 'recovery',
      since: ago(10),
      checked_at: ago(10),
      position: 1_204,
      caused_by: null,
    },
    at: ago(10),
  }),
  ...maintenanceTold(past),
  ...maintenanceTold(coming),
  ...incidentTold(open),
]
