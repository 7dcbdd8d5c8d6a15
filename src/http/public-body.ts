/** An absolute path, but for what belongs to an address or follows a name. */
const absolutePath = /(?<![\w:/.~-])\/(?:[^\s"'`,;:()[\]{}<>/]+\/)*([^\s"'`,;:()[\]{}<>/]+)\/?/g

/** Names files by their last part: where they lie is for those who operate the service, who have its log. */
export function withoutFolders(text: string): string {
  return text.replace(absolutePath, '$1')
}

/** The same of every text within a body of ours that anybody may ask for. */
export function publicBody(body: unknown): unknown {
  if (typeof body === 'string') return withoutFolders(body)
  if (Array.isArray(body)) return body.map(publicBody)
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, publicBody(value)]))
}
