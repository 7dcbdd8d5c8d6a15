import { type ComponentChildren, h } from 'preact'

/** What may stand in the text of an update beside plain words: bold, code, links. */
const markup =
  /\*\*(?<bold>[^*\n]+)\*\*|`(?<code>[^`\n]+)`|\[(?<label>[^\]\n]+)\]\((?<target>https?:\/\/[^\s)]+)\)|(?<address>https?:\/\/[^\s<>"')\]]*[^\s<>"')\].,;:!?])/g

/** A text as its author typed it: markup of a small set becomes elements, everything else stays text. */
export function richText(text: string): ComponentChildren[] {
  return text.split(/\r?\n/).flatMap((line, index) => (index === 0 ? inline(line) : [h('br', null), ...inline(line)]))
}

function inline(line: string): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let end = 0
  for (const match of line.matchAll(markup)) {
    if (match.index > end) parts.push(line.slice(end, match.index))
    parts.push(elementOf(match.groups ?? {}))
    end = match.index + match[0].length
  }
  if (end < line.length) parts.push(line.slice(end))
  return parts
}

function elementOf({ bold, code, label, target, address }: Partial<Record<string, string>>): ComponentChildren {
  if (bold !== undefined) return h('strong', null, bold)
  if (code !== undefined) return h('code', null, code)
  return h('a', { href: target ?? address ?? '', rel: 'nofollow noopener' }, label ?? address)
}
