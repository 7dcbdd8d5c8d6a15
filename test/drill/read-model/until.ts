import { setTimeout as sleep } from 'node:timers/promises'

/** Looks again and again until a condition holds; gives up after a minute. */
export async function until(condition: () => boolean | Promise<boolean>, pollMs = 50): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within a minute: ${condition}`)
    await sleep(pollMs)
  }
}
