import type { ComponentChildren } from 'preact'
import type { ComponentRow } from '#projections/status/schema.ts'
import { completeInstant } from '#queries/status/health-document.ts'
import { timeOf } from '#queries/status/page/layout.ts'
import { html } from '#queries/status/page/markup.ts'
import { figureText, positionText } from '#src/domain/status/health-words.ts'
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
  const about = description === null ? null : html`<p class="dim" dir="auto">${description}</p>`
  return html`${about}${measuredOf(health?.components.find(({ component_id }) => component_id === id)?.figures, evidence, updated)}`
}

function measuredOf(
  live: LiveHealth['components'][number]['figures'] | undefined,
  evidence: string | null,
  updated: string,
): ComponentChildren {
  if (live !== undefined && live.length > 0) {
    const checkedAt = new Date(Math.min(...live.map(({ at }) => at))).toISOString()
    return detailOf(
      checkedAt,
      live.map(({ metric, value, position = null }) => ({ metric, value, position })),
    )
  }
  if (evidence === null) return null
  const { checked_at, ...shown } = JSON.parse(evidence) as Decided
  return detailOf(checked_at ?? updated, [shown])
}

/** Folded: most who read the page want to know whether it works, and not how that is known. */
function detailOf(checkedAt: string, figures: readonly Shown[]): ComponentChildren {
  return html`<details class="measured"><summary><span>Measured</span></summary>
    <ul>${figures.map((figure) => html`<li><bdi>${capital(textOf(figure))}</bdi></li>`)}</ul>
    <p class="dim">${timeOf(checkedAt, 'Etc/UTC')}</p>
  </details>`
}

/** `The newest transaction is 45 seconds old, position 1,204` */
function textOf({ metric, value, position }: Shown): string {
  const text = figureText(metric, value)
  return position === null ? text : `${text}, ${positionText(position)}`
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** Up to when what the API tells of the ledger is complete. */
export function completeness(health: LiveHealth | undefined): ComponentChildren {
  if (health === undefined) return null
  return html`${completeText(health)}${leftOutText(health)}`
}

function completeText({ completeUntil }: LiveHealth): ComponentChildren {
  if (completeUntil === undefined) return null
  return html`<p class="dim">History is complete up to ${timeOf(completeInstant(completeUntil), 'Etc/UTC')} (consensus time).</p>`
}

function leftOutText({ leftOut }: LiveHealth): ComponentChildren {
  if (leftOut.length === 0) return null
  return html`<p class="dim">Answers from these read models are older than all others: <bdi>${leftOut.join(', ')}</bdi>.</p>`
}
