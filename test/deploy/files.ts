import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { repositoryRoot } from '../../scripts/services/folders.ts'

export function readText(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8')
}

export interface Healthcheck {
  readonly test: readonly string[]
  readonly interval: string
  readonly timeout: string
  readonly retries: number
}

export interface ComposeService {
  readonly image?: string
  readonly build?: { readonly context: string; readonly args: Readonly<Record<string, string>> }
  readonly profiles?: readonly string[]
  readonly command?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly environment?: Readonly<Record<string, string | number>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly healthcheck?: Healthcheck
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, unknown>>
}

export function readCompose(): ComposeFile {
  return parse(readText('docker-compose.yml'), { merge: true }) as ComposeFile
}

export interface AlertRule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

export function readAlerts(): AlertRule[] {
  const { groups } = parse(readText('deploy/prometheus/alerts.yml')) as { groups: { rules: AlertRule[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

interface Panel {
  readonly title: string
  readonly type: string
  readonly targets?: readonly { readonly expr: string }[]
}

interface Dashboard {
  readonly uid: string
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] }
}

export function readDashboard(): Dashboard {
  return JSON.parse(readText('deploy/grafana/dashboards/ledger-history.json')) as Dashboard
}

/** Every query of the dashboard, with its variables filled in. */
export function dashboardQueries(): { readonly panel: string; readonly query: string }[] {
  return readDashboard().panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ panel: title, query: expr.replaceAll('$projection', 'transactions') })),
  )
}
