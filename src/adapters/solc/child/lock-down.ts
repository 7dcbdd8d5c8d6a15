import { registerHooks } from 'node:module'
import { createContext, runInContext } from 'node:vm'

/**
 * Takes from this process whatever a language's own realm does not have, for good: what would break out of the compiler's realm finds
 * no `process`, no `fetch`, and no module to import. Files, processes and threads are forbidden by Node's permissions besides; its
 * version 24 has none for the network, so for that this is all there is.
 */
export function lockDown(): void {
  registerHooks({ resolve: refuse, load: refuse })
  const ownNames: unknown = runInContext('Object.getOwnPropertyNames(globalThis)', createContext(Object.create(null)))
  const kept = new Set(ownNames as string[])
  for (const name of Reflect.ownKeys(globalThis))
    if (typeof name === 'symbol' || !kept.has(name)) Reflect.deleteProperty(globalThis, name)
}

function refuse(): never {
  throw new Error('A compiler imports nothing')
}
