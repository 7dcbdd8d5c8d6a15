import { Histogram, type Registry } from 'prom-client'

export interface HttpRequestFigures {
  /** Pattern of the route, never an address with values in it. */
  readonly route: string
  readonly method: string
  readonly status: number
  readonly seconds: number
  /** It asked to be answered later. */
  readonly waited?: boolean
}

const labelNames = ['route', 'method', 'status'] as const
const name = 'ledger_http_request_duration_seconds'
/** Seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

type Name = (typeof labelNames)[number] | 'le'
type Figures = Awaited<ReturnType<Histogram<Name>['get']>>

interface Series {
  readonly labels: Figures['values'][number]['labels']
  /** Requests by the first bound that they were within; beyond the bounds at the end. */
  readonly counts: number[]
  sum: number
}

/**
 * How long requests took, which is noted for every one of them: the library's own way makes objects and a text of the labels
 * each time. Here they are added up where they belong, and become the library's figures when it is asked.
 */
export class RequestDurations extends Histogram<Name> {
  /** By route. */
  readonly #series = new Map<string, Series[]>()

  constructor(registry: Registry) {
    super({ name, help: 'Time to answer a request', labelNames, buckets: bounds, registers: [registry] })
  }

  note({ route, method, status, seconds }: HttpRequestFigures): void {
    const series = this.#seriesOf(route, method, status)
    let index = 0
    while (index < bounds.length && seconds > bounds[index]!) index += 1
    series.counts[index]! += 1
    series.sum += seconds
  }

  override async get(): Promise<Figures> {
    const values = [...this.#series.values()].flat().flatMap(valuesOf)
    return { ...(await super.get()), values }
  }

  #seriesOf(route: string, method: string, status: number): Series {
    const ofRoute = this.#series.get(route) ?? []
    const known = ofRoute.find(({ labels }) => labels.status === status && labels.method === method)
    if (known !== undefined) return known
    const series = { labels: { route, method, status }, counts: [...bounds, 0].fill(0), sum: 0 }
    this.#series.set(route, [...ofRoute, series])
    return series
  }
}

/** Each bound counts what is within those below it, too. */
function valuesOf({ labels, counts, sum }: Series): Figures['values'] {
  let count = 0
  const buckets = [...bounds, '+Inf'].map((le, index) => {
    count += counts[index]!
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
