import { counted } from '#src/cli/counted.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import type { TopicName } from '#src/events/event-types.ts'
import type { EventPlace, TopicSummary } from '#src/topics/topic-summary.ts'

/** One generation of the log, or what a read model publishes of it, as the plan and the log itself tell. */
export interface ListedTopic {
  readonly generation: number
  readonly topic: TopicName
  /** Topic or folder. */
  readonly name: string
  readonly state: string
  readonly summary: TopicSummary
}

export function topicToJson({ generation, topic, name, state, summary }: ListedTopic): object {
  const { first, last, looked, types } = summary
  return {
    generation,
    topic,
    name,
    state,
    first: placeToJson(first),
    last: placeToJson(last),
    looked,
    types: types.map((type) => ({ ...type, first: placeToJson(type.first), last: placeToJson(type.last) })),
  }
}

function placeToJson(place: EventPlace | undefined): object | null {
  return place === undefined ? null : { sequence: place.sequence, time: formatLedgerTime(place.time) }
}

export function formatTopicSummary({ generation, name, state, summary }: ListedTopic): string {
  const { first, last, looked, types } = summary
  const head = `${name}  generation ${generation}  ${state}`
  if (first === undefined || last === undefined) return `${head}  empty`
  const whole = looked === last.sequence
  const width = Math.max(...types.map(({ type }) => type.length))
  const rows = types
    .filter(({ count }) => count > 0)
    .map(({ type, first, last, count }) => {
      const share = whole ? `${counted(count, 'event')}, ` : ''
      return `  ${type.padEnd(width)}  ${share}first ${formatPlace(first)}, last ${formatPlace(last)}`
    })
  const note = `  looked at the ends only, ${counted(looked, 'event')}; "topics list --all" looks at every one`
  return [`${head}  ${formatPlace(first)} to ${formatPlace(last)}`, ...rows, ...(whole ? [] : [note])].join('\n')
}

function formatPlace(place: EventPlace | undefined): string {
  return place === undefined ? '-' : `#${place.sequence} (${formatLedgerTime(place.time)})`
}
