import type { ComponentChildren } from 'preact'
import { html } from '#queries/status/page/markup.ts'
import { componentStateNames } from '#queries/status/state-names.ts'
import type { ComponentStatus } from '#src/domain/status/words.ts'

/** A shape for each state, so that none is told by its colour alone. */
export const icons = html`<svg width="0" height="0" aria-hidden="true" focusable="false">
  <symbol id="operational" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="currentColor" /><path d="M4 8.5l3 3 5-6" fill="none" stroke="var(--bg)" stroke-width="2" /></symbol>
  <symbol id="under_maintenance" viewBox="0 0 16 16"><rect width="16" height="16" rx="2" fill="currentColor" /><path d="M4 5h8M4 8h8M4 11h8" stroke="var(--bg)" stroke-width="1.5" /></symbol>
  <symbol id="degraded_performance" viewBox="0 0 16 16"><path d="M8 0l8 15H0z" fill="currentColor" /><path d="M8 5v5M8 11.5v2" stroke="var(--bg)" stroke-width="2" /></symbol>
  <symbol id="partial_outage" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="none" stroke="currentColor" stroke-width="2" /><path d="M8 1a7 7 0 0 1 0 14z" fill="currentColor" /></symbol>
  <symbol id="major_outage" viewBox="0 0 16 16"><path d="M5 0h6l5 5v6l-5 5H5l-5-5V5z" fill="currentColor" /><path d="M5 5l6 6M11 5l-6 6" stroke="var(--bg)" stroke-width="2" /></symbol>
</svg>`

export function stateOf(status: string): ComponentChildren {
  const name = componentStateNames[status as ComponentStatus]
  return html`<span class=${`state ${status}`}><svg aria-hidden="true" focusable="false"><use href=${`#${status}`} /></svg>${name}</span>`
}
