/** A failing run is repeated with LEDGER_TEST_SEED. */
export const seed = Number(process.env['LEDGER_TEST_SEED'] ?? Math.floor(Math.random() * 1e9))

/** Knuth's multiplier: seeds that follow each other begin far apart. */
const spread = 2_654_435_761

/** Park and Miller's generator: enough to choose moments, and the seed repeats them. Results lie between 0 and 1. */
export function createRandom(start: number): () => number {
  let state = ((Math.imul(start, spread) >>> 0) % 2_147_483_646) + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
