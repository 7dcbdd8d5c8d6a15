import { HealthWatch } from '#commands/status/health/health-watch.ts'
import type { IncidentPolicy } from '#commands/status/health/incidents.ts'
import type { HealthRule } from '#src/domain/status/health-rule.ts'
import type { Measurement, WatchedComponent } from '#src/domain/status/live-health.ts'
import { silentLogger } from '#src/ports/logger.ts'
import { ServiceFixture } from '#test/commands/status/service-fixture.ts'

const policy: IncidentPolicy = {
  openAt: 'degraded_performance',
  coolDownSeconds: 300,
  stableSeconds: 120,
  publishAfterSeconds: 600,
}

export const imports = 'cmpimport001'
export const models = 'cmpmodels001'

/** Degraded over 10, an outage over 100, each after ten seconds; well again below 5 for twenty. */
export function lagRule(metric: string): HealthRule {
  return {
    metric,
    levels: [
      { status: 'degraded_performance', over: 10, forSeconds: 10 },
      { status: 'major_outage', over: 100, forSeconds: 10 },
    ],
    recoverBelow: 5,
    recoverForSeconds: 20,
    silenceAfterSeconds: 60,
    silenceStatus: 'major_outage',
  }
}

/** Two components: what is wrong with the import explains what is wrong with the read models. */
export const watched: readonly WatchedComponent[] = [
  { id: imports, rules: [lagRule('import_lag')], dependsOn: [] },
  { id: models, rules: [lagRule('model_lag')], dependsOn: [imports] },
]

/** A service, and the rules over figures that the test sets. */
export class HealthFixture extends ServiceFixture {
  /** By metric; one that is not there is not measured. */
  figures: Record<string, number> = { import_lag: 1, model_lag: 1 }
  watch = this.newWatch()

  newWatch(components: readonly WatchedComponent[] = watched, leads = true): HealthWatch {
    return this.newWatchOf(components, () => this.#measured(), leads)
  }

  newWatchOf(
    components: readonly WatchedComponent[],
    measured: () => ReadonlyMap<string, Measurement>,
    leads = true,
  ): HealthWatch {
    return new HealthWatch({
      service: this.newService(),
      clock: { now: () => this.time },
      logger: silentLogger,
      components,
      policy,
      measure: async () => measured(),
      leads: () => leads,
    })
  }

  async withPage(automation: 'components' | 'propose' | 'open'): Promise<this> {
    await this.do('ConfigurePage', { name: 'Ledger', automation })
    await this.do('CreateComponent', { id: imports, name: 'Import' })
    await this.do('CreateComponent', { id: models, name: 'Read models' })
    await this.watch.look()
    return this
  }

  /** Looks every five seconds for so long; gives the types of the events that it led to. */
  async pass(seconds: number, figures: Record<string, number> = this.figures): Promise<string[]> {
    this.figures = figures
    const after = (await this.store.newest())?.position ?? 0
    for (let passed = 0; passed < seconds; passed += 5) {
      this.time += 5_000
      await this.watch.look()
    }
    return (await this.all(after)).map(({ type }) => type)
  }

  #measured(): ReadonlyMap<string, Measurement> {
    return new Map(
      Object.entries(this.figures).map(([metric, value]) => [metric, { at: this.time, value, position: 7 }]),
    )
  }
}
