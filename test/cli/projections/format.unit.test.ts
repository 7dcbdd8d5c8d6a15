import { describe, expect, it } from 'vitest'
import { Terminal } from '#src/cli/terminal.ts'
import { formatStatus } from '#src/cli/verbs/projections/format.ts'
import { formatInstanceProgress, ProgressDisplay } from '#src/cli/verbs/projections/progress.ts'
import type { DeploymentStatus, InstanceStatus } from '#src/runtime/watch/deployment-status.ts'

const owner = {
  process: 'a:1 (0.2.0)',
  role: 'project',
  epoch: 4,
  codeVersion: '0.2.0',
  state: 'following',
}
const serving: InstanceStatus = {
  name: 'blocks',
  id: '1',
  version: 1,
  build: 1,
  generation: 1,
  serving: true,
  state: 'built',
  paused: false,
  rolledBack: false,
  position: 2_000,
  head: 2_000,
  lagEvents: 0,
  lagSeconds: 0,
  stalledSeconds: 0,
  eventsPerSecond: 40,
  etaSeconds: null,
  parked: 0,
  owner,
  problem: null,
  servedBy: ['b:2 (0.2.0)'],
}
const process = {
  process: 'b:2 (0.2.0)',
  role: 'serve',
  codeVersion: '0.2.0',
  port: 5551,
  startedAt: '2026-01-02T03:04:05.678Z',
}

function linesOf(...instances: readonly Partial<InstanceStatus>[]): string[] {
  const status: DeploymentStatus = {
    generation: 1,
    instances: instances.map((instance) => ({ ...serving, ...instance })),
    processes: [{ ...process, serves: { blocks: '1' }, knows: {} }],
    brokenLogs: [],
    problems: instances.some(({ head }) => head === null) ? ['The log is away'] : [],
  }
  return formatStatus(status, (verb) => `ledger-history ${verb}`).split('\n')
}

describe('projections status', () => {
  it('has a line per instance and per process, with owner, epoch and release', () => {
    expect(
      linesOf({}, { id: '2', version: 2, serving: false, position: 500, lagEvents: 1_500, lagSeconds: 12.25 }),
    ).toEqual([
      'blocks v1  SERVING  100.0%  2,000 / 2,000  40/s  lag 0.0 s   owner a:1 (0.2.0) epoch 4',
      'blocks v2  built    25.0%  500 / 2,000     40/s  lag 12.3 s  owner a:1 (0.2.0) epoch 4',
      'b:2 (0.2.0)  serve  port 5551  since 2026-01-02T03:04:05Z  serves 1',
      'next: ledger-history projections promote blocks',
    ])
  })

  it('has one line for all threads of a process, with what it answers from where the plan says otherwise', () => {
    const status: DeploymentStatus = {
      generation: 1,
      instances: [serving, { ...serving, name: 'topics', id: '3', version: 3 }],
      processes: [
        { ...process, process: 'a:1 (0.2.0)', role: 'import', port: null, serves: {}, knows: {} },
        { ...process, process: 'a:1 (0.2.0)', role: 'project', port: null, serves: {}, knows: {} },
        { ...process, process: 'a:1 (0.2.0)', role: 'project', port: null, serves: {}, knows: {} },
        { ...process, serves: { blocks: '1', topics: '2' }, knows: {} },
        { ...process, serves: { blocks: '1', topics: '2' }, knows: {} },
      ],
      brokenLogs: [],
      problems: [],
    }
    expect(
      formatStatus(status, (verb) => verb)
        .split('\n')
        .slice(2),
    ).toEqual([
      'a:1 (0.2.0)  import, project ×2             since 2026-01-02T03:04:05Z  keeps 2',
      'b:2 (0.2.0)  serve ×2            port 5551  since 2026-01-02T03:04:05Z  serves 2  not by the plan: topics v2',
    ])
  })

  it('tells from a log generation other than the first, from what stands still, and from an owner that has a problem', () => {
    const [line] = linesOf({
      generation: 2,
      position: 1_000,
      lagEvents: 1_000,
      stalledSeconds: 12.4,
      owner: { ...owner, epoch: null },
      problem: 'away',
    })
    expect(line).toMatch(/^blocks v1 {2}log g2 {2}SERVING stalled 12 s .* owner a:1 \(0\.2\.0\) {2}away$/)
  })

  it('shows where instances stand although the log does not answer, and that it does not', () => {
    const unknown = { head: null, lagEvents: null, lagSeconds: null, stalledSeconds: null }
    const lines = linesOf(unknown)
    expect(lines[0]).toBe('blocks v1  SERVING  2,000 / ?  40/s  owner a:1 (0.2.0) epoch 4')
    expect(lines.at(-1)).toBe('The log is away')
  })

  it('shows an instance that this code does not know without inventing where it stands', () => {
    const [line] = linesOf({
      position: null,
      lagEvents: null,
      lagSeconds: null,
      eventsPerSecond: null,
      parked: null,
      owner: null,
    })
    expect(line).toBe('blocks v1  SERVING  unknown to this code  no owner')
  })

  it('says days where a lag is longer than one, and nothing yet where nothing is folded', () => {
    const [late] = linesOf({ position: 1_000, lagEvents: 1_000, lagSeconds: 4.5 * 86_400, stalledSeconds: 200_000 })
    expect(late).toMatch(/SERVING stalled 2\.3 days .* lag 4\.5 days /)
    const [nothing] = linesOf({ position: 0, lagEvents: 2_000, lagSeconds: null })
    expect(nothing).toMatch(/ 0\.0% {2}0 \/ 2,000 .* nothing yet /)
  })

  it('tells how long a rebuild still takes, and why nobody keeps an instance up to date', () => {
    const building = { id: '2', version: 2, serving: false, state: 'building', etaSeconds: 37.5 } as const
    const failed = {
      id: '3',
      version: 3,
      serving: false,
      owner: null,
      lagEvents: 9,
      problem: 'a:1 (0.2.0): cannot fold',
    }
    const lines = linesOf({}, building, failed)
    expect(lines[1]).toMatch(/ 40\/s eta 38s /)
    expect(lines[2]).toMatch(/ no owner .* a:1 \(0\.2\.0\): cannot fold$/)
    expect(lines.at(-1)).not.toBe('next: ledger-history project')
  })

  it.each<[string, Partial<InstanceStatus>]>([
    ['projections parked list blocks', { parked: 3 }],
    ['projections rebuild blocks --version 2', { id: '2', version: 2, serving: false, state: 'building', owner: null }],
    [
      'projections rebuild blocks --version 1 --generation 2',
      { id: '1.2', build: 2, generation: 2, serving: false, state: 'building', owner: null },
    ],
    ['projections promote blocks', { id: '1.2', build: 2, serving: false }],
    ['projections resume blocks', { serving: true, id: '2', paused: true, parked: 3 }],
    ['project', { id: '0', version: 0, serving: false, owner: null, lagEvents: 5 }],
    ['projections resume blocks --version 0', { id: '0', version: 0, serving: false, paused: true }],
  ])('names the obvious next command: %s', (command, instance) => {
    expect(linesOf({}, instance).at(-1)).toBe(`next: ledger-history ${command}`)
  })

  it('names none where there is nothing to do', () => {
    expect(linesOf({}, { id: '0', version: 0, serving: false }).at(-1)).toMatch(/ serve /)
    expect(linesOf({}, { id: '2', version: 2, serving: false, generation: 2 }).at(-1)).toMatch(/ serve /)
    expect(linesOf({}, { id: '2', version: 2, serving: false, rolledBack: true }).at(-1)).toMatch(/ serve /)
  })
})

describe('the progress of a rebuild', () => {
  const progress = { position: 1_204_000, head: 2_922_000, eventsPerSecond: 38_100, etaSeconds: 44.2 }

  it('is one line', () => {
    expect(formatInstanceProgress('transactions v3', progress)).toBe(
      'transactions v3  41.2%  1,204,000 / 2,922,000  38k/s  eta 45s',
    )
    expect(formatInstanceProgress('x v1', { ...progress, etaSeconds: undefined })).not.toContain('eta')
  })

  function displayOn(isTTY: boolean) {
    const lines: object[] = []
    let written = ''
    const err = { isTTY, columns: 80, write: (text: string) => (written += text) }
    const terminal = new Terminal({ out: { write: () => true }, err, format: 'json', colours: false })
    const info = (fields: object): void => void lines.push(fields)
    const logger = { info } as unknown as ConstructorParameters<typeof ProgressDisplay>[0]['logger']
    return { display: new ProgressDisplay({ terminal, logger }), lines, written: () => written }
  }

  it('is logged once in a while where no line can be rewritten, for each instance on its own', () => {
    const { display, lines } = displayOn(false)
    for (let count = 0; count < 100; count++)
      display.show('blocks v2', 'blocks v2 …', { projection: 'blocks', position: count })
    display.show('transactions v2', 'transactions v2 …', { projection: 'transactions', position: 1 })
    expect(lines).toEqual([
      { projection: 'blocks', position: 0, progress: 'blocks v2 …' },
      { projection: 'transactions', position: 1, progress: 'transactions v2 …' },
    ])
  })

  it('stands in the status line of a terminal, all instances together', () => {
    const { display, lines, written } = displayOn(true)
    display.show('a', 'a 10%', {})
    display.show('b', 'b 20%', {})
    display.end('a')
    expect(lines).toEqual([])
    expect(written()).toMatch(/a 10%.*a 10% {2}\| {2}b 20%.*b 20%$/s)
  })
})
