import type { ComponentChildren } from 'preact'
import type { ComponentRow } from '#projections/status/schema.ts'
import { findUptime, type UptimeFacts } from '#queries/status/find-uptime.ts'
import { barOf } from '#queries/status/page/bar.ts'
import { aboutOf } from '#queries/status/page/evidence.ts'
import { stateOf } from '#queries/status/page/icons.ts'
import { html } from '#queries/status/page/markup.ts'
import type { Pieces } from '#queries/status/page/pieces.ts'

/** Components in their order, those of a group inside of it; a link to the others where there is no room for all. */
export async function addComponents(pieces: Pieces, facts: UptimeFacts): Promise<void> {
  const shown = facts.board.components.filter(
    ({ onlyIfDegraded, status }) => !onlyIfDegraded || status !== 'operational',
  )
  const left = await new ComponentList(
    pieces,
    facts,
    Map.groupBy(shown, ({ groupId }) => groupId),
  ).add(null)
  if (left !== undefined) pieces.say(html`<p><a href=${`/uptime/from/${left.id}`}>More components</a></p>`)
}

class ComponentList {
  readonly #pieces: Pieces
  readonly #facts: UptimeFacts
  /** By the group that they stand in. */
  readonly #shown: ReadonlyMap<string | null, readonly ComponentRow[]>

  constructor(pieces: Pieces, facts: UptimeFacts, shown: ReadonlyMap<string | null, readonly ComponentRow[]>) {
    this.#pieces = pieces
    this.#facts = facts
    this.#shown = shown
  }

  /** Resolves to the first that there was no room for. */
  async add(groupId: string | null): Promise<ComponentRow | undefined> {
    const components = this.#shown.get(groupId) ?? []
    let left: ComponentRow | undefined
    await this.#pieces.inside('<ul class="plain">', '</ul>', async () => {
      for (const component of components) {
        left = component.isGroup ? await this.#group(component) : await this.#leaf(component)
        if (left !== undefined) return
      }
    })
    return left
  }

  async #leaf(component: ComponentRow): Promise<ComponentRow | undefined> {
    const about = aboutOf(component, this.#facts.context.health)
    const content = html`<li><div class="row">${titleOf(component)}</div>${about}${await this.#bar(component)}</li>`
    return (await this.#pieces.add(content)) ? undefined : component
  }

  async #group(component: ComponentRow): Promise<ComponentRow | undefined> {
    if (this.#pieces.isFull) return component
    let left: ComponentRow | undefined
    await this.#pieces.inside('<li>', '</li>', async () => {
      const begin = component.status === 'operational' ? '<details>' : '<details open>'
      await this.#pieces.inside(begin, '</details>', async () => {
        this.#pieces.say(html`<summary>${titleOf(component)}</summary>`)
        await this.#pieces.add(aboutOf(component))
        left = await this.add(component.id)
      })
      await this.#pieces.add(await this.#bar(component))
    })
    return left
  }

  async #bar(component: ComponentRow): Promise<ComponentChildren> {
    return component.showcase ? barOf(await findUptime(this.#facts, component)) : null
  }
}

function titleOf({ name, status }: ComponentRow): ComponentChildren {
  return html`<span><bdi>${name}</bdi></span>${stateOf(status)}`
}
