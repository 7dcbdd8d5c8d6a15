import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { dashboardQueries, readAlerts, readCompose, readDashboard, readText } from './files.ts'

const documented = new Set(readText('docs/reference/metrics.md').match(/\bledger_[a-z_]+[a-z]\b/g))
const alerts = readAlerts()

describe('metrics of dashboard and alarms', () => {
  it.each(alerts.map(({ alert, expr }) => [alert, expr]))('%s is about metrics that exist', (_, expr) => {
    expect(unknownMetrics(expr)).toEqual([])
  })

  it.each(dashboardQueries().map(({ panel, query }) => [panel, query]))(
    'panel "%s" shows metrics that exist: %s',
    (_, query) => {
      expect(unknownMetrics(query)).toEqual([])
    },
  )
})

/** Of the importer's own process, which has no page: no query process tells them. */
const neverScraped = ['ledger_import_transactions_total', 'ledger_import_blocks_total']

describe('what the compose file never scrapes', () => {
  it('is named by the reference as such, and neither plotted nor watched', () => {
    for (const name of neverScraped) expect(documented).toContain(name)
    expect(readText('docs/reference/metrics.md')).toMatch(/of the import all but the two counters/)
    const asked = [...dashboardQueries().map(({ query }) => query), ...alerts.map(({ expr }) => expr)]
    expect(asked.filter((query) => neverScraped.some((name) => query.includes(name)))).toEqual([])
  })
})

describe('alarms', () => {
  it('say what is wrong, how bad it is, and what to do next', () => {
    for (const { alert, labels, annotations } of alerts) {
      expect(['critical', 'warning'], alert).toContain(labels['severity'])
      expect(annotations['summary'], alert).toMatch(/\w{3}/)
      expect(annotations['next'], alert).toMatch(/\w{3}/)
    }
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length)
  })

  it('cannot stay silent when the reader of the head is dead: its age, its absence and the process are watched', () => {
    const expressionOf = (name: string) => alerts.find(({ alert }) => alert === name)?.expr
    expect(expressionOf('LedgerHeadUnknown')).toMatch(/ledger_log_head_age_seconds > \d+/)
    expect(expressionOf('LedgerFiguresAbsent')).toMatch(/== 1 unless on \(instance\) ledger_projection_head_position/)
    expect(expressionOf('LedgerFiguresAbsent')).toContain('absent(up{job="ledger-history"})')
    expect(expressionOf('LedgerProcessDown')).toBe('up{job="ledger-history"} == 0')
    expect(expressionOf('LedgerProjectionStalled')).toMatch(/ledger_projection_stalled_seconds > \d+/)
  })
})

describe('Prometheus and Grafana', () => {
  const prometheus = parse(readText('deploy/prometheus/prometheus.yml')) as {
    rule_files: string[]
    scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[]
  }

  it('scrape every process of the compose file that listens', () => {
    const apis = Object.entries(readCompose().services).filter(([, { command }]) => command?.[0] === 'serve')
    const targets = prometheus.scrape_configs.flatMap((config) =>
      config.static_configs.flatMap(({ targets }) => targets),
    )
    expect(targets).toEqual(apis.map(([name]) => `${name}:5551`))
    expect(prometheus.scrape_configs.map(({ job_name: name }) => name)).toEqual(['ledger-history'])
    expect(prometheus.rule_files).toEqual(['alerts.yml'])
  })

  it('are wired: the dashboard is in the provisioned folder and asks the provisioned source', () => {
    const sources = parse(readText('deploy/grafana/provisioning/datasources/prometheus.yml')) as {
      datasources: { uid: string; url: string }[]
    }
    const { providers } = parse(readText('deploy/grafana/provisioning/dashboards/ledger-history.yml')) as {
      providers: { options: { path: string } }[]
    }
    const { volumes = [] } = readCompose().services['grafana'] ?? {}
    expect(volumes).toContain(`./deploy/grafana/dashboards:${providers[0]?.options.path}:ro`)
    expect(sources.datasources).toMatchObject([{ uid: 'prometheus', url: 'http://prometheus:9090' }])
    expect(
      readText('deploy/grafana/dashboards/ledger-history.json').match(/"uid": "(?!prometheus|ledger-history")/g),
    ).toBeNull()
  })

  it('show import, lag, rebuilds, API latency and memory', () => {
    const shown = dashboardQueries()
      .map(({ query }) => query)
      .join('\n')
    for (const metric of [
      'ledger_import_latest_block',
      'ledger_import_lag_seconds',
      'ledger_import_gap_blocks',
      'ledger_projection_lag_seconds',
      'ledger_projection_position',
      'ledger_projection_state',
      'ledger_projection_stalled_seconds',
      'ledger_projection_rebuild_ratio',
      'ledger_projection_rebuild_eta_seconds',
      'ledger_http_request_duration_seconds_bucket',
      'process_resident_memory_bytes',
      'ledger_thread_event_loop_delay_seconds',
    ]) {
      expect(shown).toContain(metric)
    }
    expect(readDashboard().panels.filter(({ type }) => type === 'row').length).toBeGreaterThan(4)
  })
})

/** Metrics of ours in the expression that the reference does not list; a histogram is three metrics. */
function unknownMetrics(expression: string): string[] {
  const used = expression.match(/\bledger_[a-z_]+\b/g) ?? []
  return used.filter((name) => !documented.has(name) && !documented.has(name.replace(/_(bucket|count|sum)$/, '')))
}
