import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { repositoryRoot } from '../../scripts/services/folders.ts'
import { findNetworkLibrary } from '../../scripts/services/network-library.ts'
import { type Containers, images, startContainers } from './containers.ts'
import { ownServices, whyNoOwn } from './own-services.ts'
import { findKafka, findMongoServers, findRealMongo, findRegistry, findS3, whyMissing } from './services.ts'

/** git ignores it, and it may be removed at any time. */
const compileCache = join(repositoryRoot, '.cache', 'compiled')

type Wanted = keyof typeof images

let containers: Pick<Containers, 'stop'> | undefined

const variables: Record<Wanted, string> = {
  kafka: 'LEDGER_TEST_KAFKA',
  registry: 'LEDGER_TEST_REGISTRY',
  mongodb: 'LEDGER_TEST_MONGODB',
}

/**
 * Before a run: lets all processes share what Node has compiled, and where tests need real services, finds them and says once
 * what there is and what is missing.
 */
export async function setup({ vitest }: TestProject): Promise<void> {
  // Reading and compiling our modules is half of what it takes to start the program, and the tests start it hundreds of times.
  process.env['NODE_COMPILE_CACHE'] ??= compileCache
  // The words on the command line that choose files; an unknown choice is none, which only finds too much.
  const { filenamePattern } = vitest as { filenamePattern?: string[] }
  const files = await vitest.globTestSpecifications(filenamePattern)
  if (!files.some(({ moduleId }) => moduleId.endsWith('.e2e.test.ts'))) return
  await askDocker()
  report()
  requireServices()
}

/** Containers are for this run alone. Workers inherit the environment, and so find them. */
async function askDocker(): Promise<void> {
  const wanted = (Object.keys(images) as Wanted[]).filter(isWanted)
  if (wanted.length === 0) return
  const servers = findMongoServers().map(({ name, uri }) => `${name}=${uri}`)
  const { variables: found, problem, ...started } = await startContainers(wanted)
  containers = started
  Object.assign(process.env, found)
  // A real MongoDB joins the others, whose tests then run as well.
  const real = found[variables.mongodb]
  if (real) process.env[variables.mongodb] = [...servers, real].join(',')
  if (problem) process.env['LEDGER_TEST_NO_DOCKER'] = problem
}

function isWanted(name: Wanted): boolean {
  return name === 'mongodb' ? findRealMongo() === undefined : !process.env[variables[name]]
}

function report(): void {
  const servers = findMongoServers()
  const lines = [
    found('Kafka', 'LEDGER_TEST_KAFKA', findKafka()?.brokers.join(', ')),
    found('schema registry', 'LEDGER_TEST_REGISTRY', findRegistry()?.url),
    found('MongoDB protocol', 'LEDGER_TEST_MONGODB', servers.map(({ name, uri }) => `${name} ${uri}`).join(', ')),
    found('real MongoDB', 'LEDGER_TEST_MONGODB with mongodb=…', findRealMongo()?.uri),
  ]
  for (const service of ownServices) {
    const reason = whyNoOwn(service)
    if (reason) lines.push(`skipped are tests that start it themselves: ${reason}`)
  }
  const library = findNetworkLibrary()
  if ('missing' in library) lines.push(`skipped are tests that ask it: ${library.missing}`)
  console.log(['Services for the tests:', ...lines].join('\n  '))
}

function found(what: string, variable: string, address: string | undefined): string {
  return address ? `${what}: ${address}` : `skipped are tests that need it: ${whyMissing(what, variable)}`
}

function requireServices(): void {
  const present: Record<string, boolean> = {
    kafka: findKafka() !== undefined,
    registry: findRegistry() !== undefined,
    mongodb: findMongoServers().length > 0,
    s3: findS3() !== undefined,
  }
  const required = (process.env['LEDGER_TEST_REQUIRE'] ?? '').split(',').filter((name) => name !== '')
  const missing = required.filter((name) => present[name] !== true)
  if (missing.length > 0) throw new Error(`LEDGER_TEST_REQUIRE names ${missing.join(', ')}, which can't be had`)
}

export async function teardown(): Promise<void> {
  await containers?.stop()
}
