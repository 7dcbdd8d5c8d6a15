import type { Asked } from './load.ts'

/** How one query process went over from one version to another. */
export interface Switch {
  readonly port: number
  /** Milliseconds from the decision to the first answer of the new version, and to the last one of the old. */
  readonly firstNewMs: number
  readonly lastOldMs: number
}

/** What the answers of each process say of a switch that was decided at an instant. */
export function switchesOf(answers: readonly Asked[], decidedAt: number, from: string, to: string): Switch[] {
  const ports = [...new Set(answers.map(({ port }) => port))].sort()
  return ports.map((port) => {
    const own = answers.filter((answer) => answer.port === port && answer.path.startsWith('/api/v1/blocks'))
    const news = own.filter(({ version, endedAt }) => version === to && endedAt >= decidedAt)
    const firstNew = Math.min(...news.map(({ endedAt }) => endedAt))
    const following = own.filter(({ version, beganAt }) => version === from && beganAt < decidedAt + 20_000)
    const olds = following.filter(({ endedAt }) => endedAt >= decidedAt)
    const lastOld = Math.max(decidedAt, ...olds.map(({ endedAt }) => endedAt))
    return { port, firstNewMs: firstNew - decidedAt, lastOldMs: lastOld - decidedAt }
  })
}

export function formatSwitches(what: string, switches: readonly Switch[]): string {
  const each = switches.map(
    ({ port, firstNewMs, lastOldMs }) => `:${port} first new ${firstNewMs} ms, last old ${lastOldMs} ms`,
  )
  return `${what}: ${each.join('; ')}`
}
