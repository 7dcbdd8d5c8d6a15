import { openFast } from '#src/tss/pairings/fast.ts'
import type { Pairings } from '#src/tss/pairings/pairings.ts'
import { openReference } from '#src/tss/pairings/reference.ts'

/** `fast` is the reference, too, where WebAssembly does not load; its name and `reason` then say so. */
export async function openPairings(kind: 'fast' | 'reference'): Promise<Pairings> {
  if (kind === 'reference') return openReference()
  try {
    return await openFast()
  } catch (error) {
    return openReference(`mcl-wasm does not load: ${error instanceof Error ? error.message : error}`)
  }
}
