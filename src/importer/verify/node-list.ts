/** `node 0`, `nodes 0-3, 7`: node ids for a sentence, as short as they can be said. At least one. */
export function nodeList(nodeIds: readonly bigint[]): string {
  const ids = [...new Set(nodeIds)].sort((a, b) => (a < b ? -1 : 1))
  const runs: { from: bigint; to: bigint }[] = []
  for (const id of ids) {
    const last = runs.at(-1)
    if (last && last.to + 1n === id) last.to = id
    else runs.push({ from: id, to: id })
  }
  return `${ids.length === 1 ? 'node' : 'nodes'} ${runs.map(runText).join(', ')}`
}

function runText({ from, to }: { from: bigint; to: bigint }): string {
  if (from === to) return `${from}`
  return from + 1n === to ? `${from}, ${to}` : `${from}-${to}`
}
