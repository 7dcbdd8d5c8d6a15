import { describe, expect, it } from 'vitest'
import { configKeys } from '#src/config/schema.ts'
import { serviceNames } from '../../scripts/services/catalogue.ts'
import { readCompose, readText } from './files.ts'

const page = readText('docs/how-to/run-on-kafka-and-mongodb.md')
const compose = readText('docker-compose.yml')

describe('the how-to about Kafka and MongoDB', () => {
  it('names settings and variables that there are', () => {
    const variables = new Set(configKeys.map(({ variable }) => variable))
    const named = page.match(/\bLEDGER_(?!TEST_)[A-Z_]+\b/g) ?? []
    expect(named.filter((name) => !variables.has(name))).toEqual([])
    const flags = new Set([...configKeys.map(({ flagName }) => flagName), 'paced', 'out', 'only'])
    const shown = [...page.matchAll(/(?:^\| `|ledger-history .*?|\(`)--([a-z-]+)/gm)].map(([, flag]) => flag)
    expect(shown.length).toBeGreaterThan(5)
    expect(shown.filter((flag) => !flags.has(flag ?? ''))).toEqual([])
  })

  it('names profiles, services and ports that the compose file has', () => {
    const { services } = readCompose()
    const profiles = new Set(Object.values(services).flatMap(({ profiles = [] }) => profiles))
    for (const [, profile] of page.matchAll(/--profile ([a-z]+)/g)) expect(profiles).toContain(profile)
    for (const [, name] of page.matchAll(/docker compose (?:logs -f|exec) ([\w-]+)/g)) {
      expect(Object.keys(services)).toContain(name)
    }
    for (const [port] of page.matchAll(/\b[A-Z_\d]+_PORT\b/g)) expect(compose).toContain(`\${${port}:-`)
    for (const [, port] of page.split('## Without Docker')[0]!.matchAll(/127\.0\.0\.1:(\d+)/g)) {
      expect(compose).toContain(`:-${port}}:`)
    }
  })

  it('names services of this machine that can be started', () => {
    for (const [, list = ''] of page.matchAll(/--only ([\w,-]+)/g)) {
      expect(serviceNames).toEqual(expect.arrayContaining(list.split(',')))
    }
    for (const name of ['mongo-java', 'mongo-java-h2', 'ferretdb']) expect(page).toContain(`\`${name}\``)
  })
})
