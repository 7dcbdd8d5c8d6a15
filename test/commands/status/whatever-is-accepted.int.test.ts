import { expect, it } from 'vitest'
import { carryOutDue } from '#commands/status/maintenance-clock.ts'
import { parseCommand } from '#commands/status/parse-command.ts'
import { isRefused } from '#commands/status/refusals.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { Prng } from '#src/simulator/prng.ts'
import { type Ground, oddCommand, randomCommand } from '#test/commands/status/random-commands.ts'
import { ServiceFixture } from '#test/commands/status/service-fixture.ts'
import { seed } from '#test/drill/random.ts'
import { openStatusPage, type StatusPage } from '#test/support/status-page.ts'

/** All of them with LEDGER_TEST_STATUS_COMMANDS=100000; a failing run is repeated with LEDGER_TEST_SEED. */
const commands = Number(process.env['LEDGER_TEST_STATUS_COMMANDS'] ?? 3_000)
/** So many odd ones besides. */
const oddShare = 1 / 5
const commandsOfPage = 500
const commandsBetweenLooks = 50
const addresses = ['/', '/history', '/uptime', '/history.atom', '/history.rss', '/api/v2/status.json']
const dayMs = 86_400_000

interface Told {
  readonly id: string
  readonly name: string
  readonly incident_updates: readonly { readonly body: string }[]
}
interface ToldComponent {
  readonly id: string
  readonly name: string
  readonly description: string | null
}

/** What a page has to show of the commands that it took. */
class Expected {
  readonly #texts = new Map<string, { readonly path: string; readonly texts: string[] }>()

  note({ type, ...command }: Record<string, unknown>, id: string): void {
    const path = String(type).includes('Maintenance') ? 'scheduled-maintenances' : 'incidents'
    const updates = (command['updates'] ?? [command]) as readonly { readonly body?: string }[]
    const texts = updates.flatMap(({ body }) => body ?? [])
    // Which of the others an edit took away is not followed here.
    const others = type === 'EditIncidentUpdate' ? [] : (this.#texts.get(id)?.texts ?? [])
    this.#texts.set(id, { path, texts: [...others, ...texts] })
  }

  /** What is not on the page, of those that its lists have. */
  async missing(page: StatusPage): Promise<string[]> {
    const missing: string[] = []
    for (const path of ['incidents', 'scheduled-maintenances']) {
      const body = (await page.json(`/api/v2/${path}.json`)) as Record<string, Told[]>
      for (const { id, incident_updates } of body[path.replace('-', '_')]!) {
        const shown = new Set(incident_updates.map((update) => update.body))
        const { texts = [] } = this.#texts.get(id) ?? {}
        missing.push(...texts.filter((text) => !shown.has(text)).map((text) => `${path} ${id}: ${text.slice(0, 80)}`))
      }
    }
    return missing
  }
}

async function assertShown(page: StatusPage, fixture: ServiceFixture, expected: Expected): Promise<void> {
  await page.fold()
  for (const address of addresses) await page.get(address)
  expect((await page.get('/')).includes('is not complete')).toBe(false)
  const { components } = (await page.json('/api/v2/summary.json')) as { components: readonly ToldComponent[] }
  const view = await fixture.service.settled()
  const present = [...view.components.values()].filter(({ removed }) => !removed)
  const shown = new Map(components.map(({ id, name, description }) => [id, [name, description]]))
  expect(shown).toEqual(
    new Map(present.map(({ component_id, name, description }) => [component_id, [name, description]])),
  )
  expect(await expected.missing(page)).toEqual([])
  for (const [id] of [...view.incidents, ...view.maintenances].slice(-3)) await page.get(`/incidents/${id}`)
}

it(
  `whatever of ${commands} random commands and ${Math.round(commands * oddShare)} odd ones is accepted is shown, seed ${seed}`,
  async () => {
    const prng = new Prng(`status commands ${seed}`)
    let [sent, accepted, odd, oddAccepted] = [0, 0, 0, 0]
    while (sent < commands) {
      const fixture = new ServiceFixture().at('2026-03-04T22:00:00.000Z')
      const clock = { now: () => fixture.time }
      const page = await openStatusPage({ decisions: fixture.store, now: clock.now })
      const expected = new Expected()
      const execute = async (input: unknown): Promise<boolean> => {
        try {
          const { command, ...request } = parseCommand(input)
          const role = command.type === 'RecordComponentHealth' ? 'automation' : 'operator'
          const { id } = await fixture.service.execute(command, { actor: 'alice', role, ...request })
          expected.note(command as unknown as Record<string, unknown>, id)
          return true
        } catch (error) {
          // Nothing but a refusal is an answer, and what cannot be shown should have been refused by its name.
          if (!isRefused(error) || isRefused(error, 'not_showable')) throw error
          return false
        }
      }
      try {
        for (let count = 0; count < commandsOfPage && sent < commands; count++, sent++) {
          fixture.time += prng.chance(0.1) ? prng.below(2 * dayMs) : prng.below(60_000)
          const ground: Ground = { view: await fixture.service.settled(), now: fixture.time }
          if (await execute(randomCommand(prng, ground))) accepted += 1
          if (sent % (1 / oddShare) === 0) {
            odd += 1
            if (await execute(oddCommand(prng, ground))) oddAccepted += 1
          }
          if (count % 25 === 0) await carryOutDue({ service: fixture.service, clock, logger: silentLogger })
          if (count % commandsBetweenLooks === 0) await assertShown(page, fixture, expected)
        }
        await assertShown(page, fixture, expected)
      } finally {
        await page.close()
      }
    }
    console.log(`accepted ${accepted} of ${sent} random commands and ${oddAccepted} of ${odd} odd ones`)
    expect(accepted).toBeGreaterThan(sent / 4)
    expect(oddAccepted).toBeLessThan(odd / 2)
  },
  Math.max(120_000, commands * 60),
)
