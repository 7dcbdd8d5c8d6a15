import type { ControlStore } from '#src/ports/control-store.ts'

const documentName = 'fold-costs'

/** Microseconds that an event of the log costs each read model, as last measured: what lanes are balanced by. */
export async function readFoldCosts(control: ControlStore): Promise<ReadonlyMap<string, number>> {
  const document = await control.get(documentName)
  return new Map(document === undefined ? [] : parseCosts(document.text))
}

/** Replaces the costs of the named read models. Losing a race to another process loses nothing: it measured as well. */
export async function rememberFoldCosts(control: ControlStore, costs: ReadonlyMap<string, number>): Promise<void> {
  if (costs.size === 0) return
  const document = await control.get(documentName)
  const all = new Map([...(document === undefined ? [] : parseCosts(document.text)), ...costs])
  await control.put(documentName, JSON.stringify(Object.fromEntries(all)), document?.revision ?? 0)
}

/** What another version of the code may have written counts as not measured. */
function parseCosts(text: string): [string, number][] {
  const costs: unknown = JSON.parse(text)
  if (typeof costs !== 'object' || costs === null) return []
  return Object.entries(costs).filter((entry): entry is [string, number] => typeof entry[1] === 'number')
}
