const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as it stands in HTML, also in the value of an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character]!)
}

/**
 * A text as its author typed it, in HTML: `**bold**`, `` `code` ``, `[words](https://…)` and addresses become elements, all
 * else stays text. Takes time that grows with the text alone, whatever it holds.
 */
export function richHtml(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => new Line(line).html())
    .join('<br>')
}

const marks = /[*`[h]/g
const star = /\*/g
const tick = /`/g
const bracket = /\]/g
const targetEnd = /[\s)]/g
const addressEnd = /[\s<>"')\]]/g
/** Where a link may lead. */
const targetForm = /^(?:https?:\/\/|mailto:)[^\s)]/
const schemes = ['https://', 'http://'] as const
const longestScheme = 'https://'.length

/** An element, and where the text goes on behind it. */
interface Element {
  readonly html: string
  readonly end: number
}

class Line {
  readonly #text: string
  /** Of each kind of end the next one that was looked for. What looks for it goes forwards only, so none is passed twice. */
  readonly #known = new Map<RegExp, number>()

  constructor(text: string) {
    this.#text = text
  }

  html(): string {
    const parts: string[] = []
    let from = 0
    for (let at = find(marks, this.#text, 0); at < this.#text.length; ) {
      const element = this.#elementAt(at)
      if (element !== undefined) parts.push(escapeHtml(this.#text.slice(from, at)), element.html)
      from = element?.end ?? from
      at = find(marks, this.#text, element?.end ?? at + 1)
    }
    parts.push(escapeHtml(this.#text.slice(from)))
    return parts.join('')
  }

  #elementAt(at: number): Element | undefined {
    switch (this.#text[at]) {
      case '*':
        return this.#markedAt(at, '**', star, 'strong')
      case '`':
        return this.#markedAt(at, '`', tick, 'code')
      case '[':
        return this.#linkAt(at)
      default:
        return this.#addressAt(at)
    }
  }

  #markedAt(at: number, mark: string, end: RegExp, tag: string): Element | undefined {
    if (!this.#text.startsWith(mark, at)) return undefined
    const begin = at + mark.length
    const close = this.#next(end, begin)
    if (close === begin || !this.#text.startsWith(mark, close)) return undefined
    return { html: `<${tag}>${escapeHtml(this.#text.slice(begin, close))}</${tag}>`, end: close + mark.length }
  }

  #linkAt(at: number): Element | undefined {
    const close = this.#next(bracket, at + 1)
    if (close === at + 1 || this.#text[close + 1] !== '(') return undefined
    const begin = close + 2
    if (!targetForm.test(this.#text.slice(begin, begin + longestScheme + 1))) return undefined
    const end = this.#next(targetEnd, begin)
    if (this.#text[end] !== ')') return undefined
    return { html: linkTo(this.#text.slice(begin, end), this.#text.slice(at + 1, close)), end: end + 1 }
  }

  /** What ends a sentence is not of the address. */
  #addressAt(at: number): Element | undefined {
    const scheme = schemes.find((each) => this.#text.startsWith(each, at))
    if (scheme === undefined) return undefined
    let end = this.#next(addressEnd, at)
    while ('.,;:!?'.includes(this.#text[end - 1]!)) end -= 1
    if (end <= at + scheme.length) return undefined
    const address = this.#text.slice(at, end)
    return { html: linkTo(address, address), end }
  }

  /** The next place from `from` on; the end of the line where there is none. */
  #next(wanted: RegExp, from: number): number {
    const known = this.#known.get(wanted)
    if (known !== undefined && known >= from) return known
    const found = find(wanted, this.#text, from)
    this.#known.set(wanted, found)
    return found
  }
}

function find(wanted: RegExp, text: string, from: number): number {
  wanted.lastIndex = from
  return wanted.exec(text)?.index ?? text.length
}

function linkTo(target: string, words: string): string {
  return `<a href="${escapeHtml(target)}" rel="nofollow noopener">${escapeHtml(words)}</a>`
}
