import type { ComponentChildren } from 'preact'
import type { ComponentRow } from '#projections/status/schema.ts'
import { completeInstant } from '#queries/status/health-document.ts'
import { timeOf } from '#queries/status/page/layout.ts'
import { html } from '#queries/status/page/markup.ts'
import type { LiveHealth } from '#src/domain/status/live-health.ts'

/** A figure as it was measured just now, or when it last changed the level of a component. */
interface Shown {
  readonly metric: string
  /** null: no sample came. */
  readonly value: number | null
  readonly position: number | null
}

type Decided = Shown & { readonly checked_at: string | null }

/** What a component is, and what its health is judged by: as this process measured it, or as it was decided last. */
export function aboutOf({ id, description, evidence, updated }: ComponentRow, health?: LiveHealth): ComponentChildren {
  const live = health?.components.find(({ component_id }) => component_id === id)?.figures
  const measured =
    live !== undefined && live.length > 0
      ? evidenceOf(
          new Date(Math.min(...live.map(({ at }) => at))).toISOString(),
          live.map(({ metric, value, position = null }) => ({ metric, value, position })),
        )
      : evidence === null
        ? undefined
        : evidenceAsDecided(JSON.parse(evidence) as Decided, updated)
  if (description === null && measured === undefined) return null
  return html`<p class="dim">${description}${description !== null && measured ? ' ' : ''}${measured}</p>`
}

function evidenceAsDecided({ checked_at, ...shown }: Decided, updated: string): ComponentChildren {
  return evidenceOf(checked_at ?? updated, [shown])
}

function evidenceOf(checkedAt: string, figures: readonly Shown[]): ComponentChildren {
  return html`Measured ${timeOf(checkedAt, 'Etc/UTC')}: ${figures.map(textOf).join(', ')}.`
}

/** `importer lag 2.4 s, position 1204` */
function textOf({ metric, value, position }: Shown): string {
  const words = metric
    .replaceAll('_', ' ')
    .replace(/ (seconds|ratio|failures)$/, (unit) => (unit === ' failures' ? unit : ''))
  const place = position === null ? '' : `, position ${position}`
  return `${words} ${value === null ? 'not measured' : figureText(metric, value)}${place}`
}

function figureText(metric: string, value: number): string {
  if (metric.endsWith('_ratio')) return `${Math.round(value * 1_000) / 10} %`
  return metric.endsWith('_seconds') ? `${Math.round(value * 100) / 100} s` : String(value)
}

/** Up to when what the API tells of the ledger is complete. */
export function completeness(health: LiveHealth | undefined): ComponentChildren {
  if (health?.completeUntil === undefined) return null
  return html`<p class="dim">History is complete up to ${timeOf(completeInstant(health.completeUntil), 'Etc/UTC')} (consensus time).</p>`
}
