/** JSON text of a page: the rows under their name, and the address of the next page. */
export function listBody(name: string, rows: readonly string[], next: string | null): string {
  return `{"${name}":[${rows.join(',')}],"links":{"next":${next === null ? 'null' : JSON.stringify(next)}}}`
}
