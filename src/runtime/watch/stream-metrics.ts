import { Counter, Gauge, type Registry } from 'prom-client'
import {
  type BlockNodePresence,
  type ImportPresence,
  type StreamPresence,
  sourceKinds,
  streamNames,
} from '#src/operations/import-presence.ts'

export interface StreamMetricsOptions {
  /** Asked each time that the page is read. */
  readonly read: () => ImportPresence | undefined
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** What an importer says of the stream that it reads and of the block nodes, whether it is this process or another. */
export function createStreamMetrics(registry: Registry, { read, now }: StreamMetricsOptions): void {
  createChoiceMetrics(registry, read, now)
  createProblemMetric(registry, read)
  createNodeMetrics(registry, () => read()?.blockNodes ?? [], now)
}

function createChoiceMetrics(registry: Registry, read: StreamMetricsOptions['read'], now: () => number): void {
  const define = (
    name: string,
    help: string,
    labelNames: readonly string[],
    set: (gauge: Gauge, stream: StreamPresence) => void,
  ): void => {
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      collect() {
        this.reset()
        // Without labels it would be 0, which says something.
        if (labelNames.length === 0) this.remove()
        const stream = read()?.stream
        if (stream !== undefined) set(this, stream)
      },
    })
  }
  define(
    'ledger_import_stream',
    '1 for what is read, record files or blocks, else 0',
    ['stream'],
    (metric, { stream }) => {
      for (const name of streamNames) metric.set({ stream: name }, Number(name === stream))
    },
  )
  define(
    'ledger_import_source',
    '1 for the kind of place that it is read from, else 0',
    ['source'],
    (metric, { source }) => {
      for (const kind of sourceKinds) metric.set({ source: kind }, Number(kind === source))
    },
  )
  define(
    'ledger_import_stream_since_seconds',
    'When that was chosen, seconds since the epoch',
    [],
    (metric, { since }) => metric.set(Date.parse(since) / 1_000),
  )
  define(
    'ledger_import_quiet_seconds',
    'Time without anything new, once that is too long; else 0',
    [],
    (metric, { quietSince }) =>
      metric.set(quietSince === undefined ? 0 : Math.max(0, now() - Date.parse(quietSince)) / 1_000),
  )
}

/** Also of an importer that waits before it has read anything. */
function createProblemMetric(registry: Registry, read: StreamMetricsOptions['read']): void {
  new Gauge({
    name: 'ledger_import_problem',
    help: '1 for the code of what keeps the import from going on',
    labelNames: ['code'],
    registers: [registry],
    collect() {
      this.reset()
      const { problemCode: code, standby } = read() ?? {}
      // Who stands by for another process has no problem.
      if (code !== undefined && !standby) this.set({ code }, 1)
    },
  })
}

type Nodes = () => readonly BlockNodePresence[]

/** The nodes that are told are few, so that they can be a label; those that are gone leave with their figures. */
function createNodeMetrics(registry: Registry, nodes: Nodes, now: () => number): void {
  const define = (name: string, help: string, read: (node: BlockNodePresence) => number | undefined): void => {
    new Gauge({
      name,
      help,
      labelNames: ['node'],
      registers: [registry],
      collect() {
        this.reset()
        for (const node of nodes()) {
          const value = read(node)
          if (value !== undefined) this.set({ node: node.name }, value)
        }
      },
    })
  }
  define('ledger_block_node_streaming', '1 for the block node that blocks are streamed from, else 0', ({ streaming }) =>
    Number(streaming),
  )
  define(
    'ledger_block_node_latency_seconds',
    'From the time of a block to its arrival from this node',
    ({ latencyMs }) => (latencyMs === undefined ? undefined : latencyMs / 1_000),
  )
  define('ledger_block_node_last_block', 'Number of the newest block that the node gave', ({ lastBlock }) =>
    lastBlock === undefined ? undefined : Number(lastBlock),
  )
  define(
    'ledger_block_node_set_aside_seconds',
    'Time for which the node is still asked only when nobody else has a block, else 0',
    (node) => (node.setAsideUntil === undefined ? 0 : Math.max(0, Date.parse(node.setAsideUntil) - now()) / 1_000),
  )
  createNodeInfo(registry, nodes)
  createNodeCounter(
    registry,
    nodes,
    'ledger_block_node_errors_total',
    'reason',
    'What went wrong with the node',
    ({ errors }) => errors,
  )
  createNodeCounter(
    registry,
    nodes,
    'ledger_block_node_oddities_total',
    'oddity',
    'What was odd and harmless',
    ({ oddities }) => oddities,
  )
}

function createNodeInfo(registry: Registry, nodes: Nodes): void {
  new Gauge({
    name: 'ledger_block_node_info',
    help: '1 for each block node, with where it comes from: the settings, or the ledger that has registered it',
    labelNames: ['node', 'origin', 'registered_node', 'priority', 'tls'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { name, origin, registeredNodeId = '', priority, tls } of nodes())
        this.set({ node: name, origin, registered_node: registeredNodeId, priority, tls: String(tls) }, 1)
    },
  })
}

function createNodeCounter(
  registry: Registry,
  nodes: Nodes,
  name: string,
  label: 'reason' | 'oddity',
  help: string,
  read: (node: BlockNodePresence) => Readonly<Record<string, number>>,
): void {
  new Counter({
    name,
    help: `${help}, since it is known`,
    labelNames: ['node', label],
    registers: [registry],
    collect() {
      this.reset()
      for (const node of nodes())
        for (const [kind, count] of Object.entries(read(node))) this.inc({ node: node.name, [label]: kind }, count)
    },
  })
}
