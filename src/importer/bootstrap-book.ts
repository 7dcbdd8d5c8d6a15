/**
 * Chooses the address book to begin with from a folder of them: `<network>-<nanos>` with the greatest time (ns) that is
 * not after the given one, else plain `<network>`; undefined when there is neither. `at` is the start date, or now.
 */
export function chooseBookFile(names: readonly string[], network: string, at: bigint): string | undefined {
  const [plain = network] = network.split('-')
  const dated = names
    .map((name) => ({ name, time: timeIn(name, plain) }))
    .filter((entry): entry is { name: string; time: bigint } => entry.time !== undefined && entry.time <= at)
    .sort((a, b) => (a.time < b.time ? 1 : -1))
  return dated[0]?.name ?? names.find((name) => name === plain)
}

function timeIn(name: string, network: string): bigint | undefined {
  const digits = name.startsWith(`${network}-`) ? name.slice(network.length + 1) : ''
  return /^\d{1,19}$/.test(digits) ? BigInt(digits) : undefined
}
