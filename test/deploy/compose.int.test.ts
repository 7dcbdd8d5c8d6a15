import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProgram } from '#src/cli/program.ts'
import { configKeys } from '#src/config/schema.ts'
import { repositoryRoot } from '../../scripts/services/folders.ts'
import { readCompose } from './files.ts'

const { services, volumes } = readCompose()
const all = Object.entries(services)
const ours = all.filter(([, service]) => service.build !== undefined)

describe('docker-compose.yml', () => {
  it('has the engines, our processes one by one, and the monitoring', () => {
    expect(Object.keys(services)).toEqual([
      ...['kafka', 'mongodb', 'eventstoredb', 'registry'],
      ...['network', 'importer', 'projector', 'api-1', 'api-2'],
      ...['prometheus', 'grafana'],
    ])
    expect(ours.map(([, { command }]) => command?.join(' '))).toEqual([
      'network simulate --out /streams --paced',
      'import run',
      'project',
      'serve',
      'serve',
    ])
  })

  it.each(all)('%s has an image of a pinned version or is built here', (_, { image, build }) => {
    if (build === undefined) expect(image).toMatch(/^[\w./-]+:v?\d+\.\d+\.\d+(\.\w+)?$/)
    else expect({ image, context: build.context }).toEqual({ image: 'ledger-history:local', context: '.' })
  })

  it.each(all)('%s says how its health is checked', (_, { healthcheck }) => {
    expect(healthcheck?.test.length).toBeGreaterThan(1)
    expect(['CMD', 'CMD-SHELL']).toContain(healthcheck?.test[0])
    expect(seconds(healthcheck?.timeout)).toBeLessThanOrEqual(seconds(healthcheck?.interval))
    expect(healthcheck?.retries).toBeGreaterThan(1)
  })

  it.each(all)('%s sets only variables that our configuration knows', (_, { environment = {} }) => {
    const known = new Set(configKeys.map(({ variable }) => variable))
    const named = Object.keys(environment).filter((name) => name.startsWith('LEDGER_'))
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  it.each(ours)('%s sets values that our configuration accepts', (_, { environment = {} }) => {
    for (const [name, value] of Object.entries(environment)) {
      const { key } = configKeys.find(({ variable }) => variable === name) ?? {}
      expect(key?.parse(withDefaults(String(value))), `${name}=${value}`).toBeDefined()
    }
  })

  it.each(ours)('%s runs a command that we have', (_, { command = [] }) => {
    const words = command.slice(0, command[0] === 'serve' || command[0] === 'project' ? 1 : 2)
    expect(hasVerb(words)).toBe(true)
  })

  it.each(all)('%s listens on the loopback address only', (_, { ports = [] }) => {
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\$\{[A-Z_\d]+:-\d+\}:\d+$/)
  })

  it('gives every service that listens a port of its own', () => {
    const ports = all.flatMap(([, { ports = [] }]) => ports.map((port) => withDefaults(port).split(':')[1]))
    expect(new Set(ports).size).toBe(ports.length)
    expect(ports).toHaveLength(8)
  })

  it('declares the volumes that services mount, and mounts files that are there', () => {
    const sources = all.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0] ?? ''))
    const named = sources.filter((source) => !source.startsWith('.'))
    expect([...new Set(named)].sort()).toEqual(Object.keys(volumes).sort())
    for (const folder of sources.filter((source) => source.startsWith('.'))) {
      expect(existsSync(join(repositoryRoot, folder)), folder).toBe(true)
    }
  })

  it('starts a service after the ones that it needs are healthy', () => {
    for (const [name, { depends_on: needs = {} }] of all) {
      for (const needed of Object.keys(needs)) expect(Object.keys(services), name).toContain(needed)
    }
    for (const name of ['importer', 'projector', 'api-1', 'api-2']) {
      const healthy = { condition: 'service_healthy' }
      expect(services[name]?.depends_on).toMatchObject({ kafka: healthy, mongodb: healthy, registry: healthy })
    }
  })

  it('starts the engines alone unless a profile asks for more', () => {
    const byProfile = Object.groupBy(all, ([, { profiles = ['none'] }]) => profiles.join())
    const names = Object.entries(byProfile).map(([profile, group = []]) => [profile, group.map(([name]) => name)])
    expect(Object.fromEntries(names)).toEqual({
      none: ['kafka', 'mongodb', 'eventstoredb', 'registry'],
      ledger: ['network', 'importer', 'projector', 'api-1', 'api-2'],
      monitoring: ['prometheus', 'grafana'],
    })
  })

  it('lets our processes talk to the engines by the names and ports of these', () => {
    const { LEDGER_KAFKA_BROKERS, LEDGER_MONGODB_URI, LEDGER_REGISTRY_URL } = services['importer']?.environment ?? {}
    expect(services['kafka']?.environment?.['KAFKA_ADVERTISED_LISTENERS']).toContain(`://${LEDGER_KAFKA_BROKERS},`)
    expect(new URL(String(LEDGER_MONGODB_URI)).host).toBe(
      `mongodb:${services['mongodb']?.ports?.[0]?.split(':').at(-1)}`,
    )
    expect(new URL(String(LEDGER_REGISTRY_URL)).host).toBe(
      `registry:${services['registry']?.ports?.[0]?.split(':').at(-1)}`,
    )
  })
})

/** What Compose puts in the place of `${NAME:-value}` when NAME is not set. */
function withDefaults(text: string): string {
  return text.replace(/\$\{\w+:-([^}]*)\}/g, '$1')
}

function seconds(duration: string | undefined): number {
  const [, count] = /^(\d+)s$/.exec(duration ?? '') ?? []
  return Number(count)
}

function hasVerb(words: readonly string[]): boolean {
  let command = createProgram()
  for (const word of words) {
    const next = command.commands.find((candidate) => candidate.name() === word)
    if (!next) return false
    command = next
  }
  return true
}
