/**
 * Releases of the network's library that sign differently, which no byte of a signature tells: 1 up to 3.15.0, 2 from 3.15.1. What one of
 * them signs the other refuses.
 */
export const generations = [1, 2] as const
export type Generation = (typeof generations)[number]
