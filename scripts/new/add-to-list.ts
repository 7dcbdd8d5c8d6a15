/**
 * What a block `ts add=<file>` of a guide does to the first list of a file: its last line becomes an element, what stands
 * before it an import. So a guide does not depend on what else the list has.
 */
export function addToList(text: string, addition: string): string {
  const lines = addition.trim().split('\n')
  const element = lines.pop()!
  const end = text.indexOf(']', text.indexOf('= ['))
  return `${lines.join('\n')}\n${text.slice(0, end).replace(/,?\s*$/, '')}, ${element}${text.slice(end)}`
}

/** The same of a block `ts entry=<file>`: it becomes the last entry of the first object whose type is named `Differences`. */
export function addEntry(text: string, entry: string): string {
  const end = text.indexOf('\n}', text.indexOf(': Differences = {'))
  return `${text.slice(0, end)}\n  ${entry.trim()}${text.slice(end)}`
}
