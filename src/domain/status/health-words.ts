/** Units of a time, each with how many seconds it has and from how many of the one before on it is used. */
const units = [
  { name: 'second', seconds: 1, from: 0 },
  { name: 'minute', seconds: 60, from: 120 },
  { name: 'hour', seconds: 3_600, from: 7_200 },
  { name: 'day', seconds: 86_400, from: 172_800 },
] as const
const thousand = new Intl.NumberFormat('en-US')

/** `45 seconds`, `12 minutes`, `326 days`: a length of time as people say it. */
export function durationText(seconds: number): string {
  if (seconds < 1) return 'less than a second'
  const { name, seconds: each } = units.findLast(({ from }) => seconds >= from) ?? units[0]
  const count = Math.round(seconds / each)
  return `${thousand.format(count)} ${name}${count === 1 ? '' : 's'}`
}

function shareText(ratio: number): string {
  const percent = Math.round(ratio * 1_000) / 10
  return ratio > 0 && percent === 0 ? 'less than 0.1 %' : `${percent} %`
}

/** What a figure says, as a part of a sentence. */
const told: Readonly<Record<string, (value: number) => string>> = {
  importer_lag_seconds: (value) =>
    value === 0 ? 'all that its source has is imported' : `the newest transaction is ${durationText(value)} old`,
  source_quiet_seconds: (value) =>
    value === 0 ? 'the network is heard of' : `nothing new has come from the network for ${durationText(value)}`,
  import_failures: (value) => (value === 0 ? 'no failures' : 'it has stopped and needs a person'),
  projection_lag_seconds: (value) => (value < 1 ? 'up to date with the log' : `${durationText(value)} behind the log`),
  projection_stalled_seconds: (value) =>
    value < 1 ? 'nothing stands still' : `no progress for ${durationText(value)}`,
  http_error_ratio: (value) => (value === 0 ? 'no requests fail' : `${shareText(value)} of requests fail`),
  http_slow_ratio: (value) =>
    value === 0 ? 'no requests take longer than a second' : `${shareText(value)} of requests take longer than a second`,
  decisions_seconds: (value) => `the decision store answers within ${value < 1 ? 'a second' : durationText(value)}`,
}

/** `12 minutes behind the log`; null: no sample came. A figure that is not ours is told by its name. */
export function figureText(metric: string, value: number | null): string {
  if (value === null) return `${nameOf(metric)}: not measured`
  // A name may be anything, also that of what every object has.
  if (Object.hasOwn(told, metric)) return told[metric]!(value)
  if (metric.endsWith('_seconds')) return `${nameOf(metric)}: ${durationText(value)}`
  if (metric.endsWith('_ratio')) return `${nameOf(metric)}: ${shareText(value)}`
  return `${nameOf(metric)}: ${thousand.format(value)}`
}

/** `queue depth`, of `queue_depth`. */
function nameOf(metric: string): string {
  return metric.replace(/_(?:seconds|ratio)$/, '').replaceAll('_', ' ')
}

/** A place in a log: `position 1,204`. */
export function positionText(position: number): string {
  return `position ${thousand.format(position)}`
}
