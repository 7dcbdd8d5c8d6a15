import { readFileSync } from 'node:fs'

const text = readFileSync(new URL('../../docs/how-to/subscribe-to-events.md', import.meta.url), 'utf8')

/** The code of an example in the how-to for subscribers: what stands below `<!-- test: name -->`. */
export function exampleCode(name: string): string {
  const [, code] = new RegExp(`<!-- test: ${name} -->\n\`\`\`\\w+\n([\\s\\S]*?)\`\`\``).exec(text) ?? []
  if (code === undefined) throw new Error(`The how-to for subscribers has no example ${name}`)
  return code
}
