import type { Answer } from '#test/drill/whole-blocks/service.ts'

/** What answers said, and where two of the same thing differ. */
export class Seen {
  readonly #answers = new Map<string, string>()
  readonly #differences: string[] = []
  #compared = 0

  /** Whatever else is said of the same by whoever asks, now or later, has to be this. */
  note(what: string, { status, body }: Pick<Answer, 'status' | 'body'>): void {
    const now = `${status} ${withoutNonces(body)}`
    const before = this.#answers.get(what)
    if (before === undefined) this.#answers.set(what, now)
    else this.#compared += 1
    if (before !== undefined && before !== now)
      this.#differences.push(`${what}\n  ${around(before, now)}\n  ${around(now, before)}`)
  }

  get things(): readonly string[] {
    return [...this.#answers.keys()]
  }

  /** How often something was said once more. */
  get compared(): number {
    return this.#compared
  }

  get differences(): readonly string[] {
    return this.#differences
  }

  /** What nobody can ask about any more, since it was of an instant that is over. */
  forget(isOver: (what: string) => boolean): void {
    for (const what of this.#answers.keys()) if (isOver(what)) this.#answers.delete(what)
  }
}

/** They belong to no version of an account: whoever counts on from one wants the newest. */
function withoutNonces(body: string): string {
  return body.replaceAll(/"(ethereum_)?nonce":\d+/g, '')
}

const shownBefore = 60
const shownAfter = 300

/** From a little before the place where it differs from the other. */
function around(text: string, other: string): string {
  let at = 0
  while (at < text.length && text[at] === other[at]) at += 1
  return text.slice(Math.max(0, at - shownBefore), at + shownAfter)
}
