// Kafka, a schema registry and servers of the MongoDB protocol on this machine, without Docker: npm run services
import { existsSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import {
  defaultServices,
  productVariables,
  type RunningService,
  type ServiceName,
  serviceNames,
  startService,
  testVariables,
} from './catalogue.ts'
import { installNetworkLibrary } from './network-library.ts'
import { isFree } from './ports.ts'
import type { Lifetime } from './service-process.ts'
import { isRunning, readRecorded, readRunning, record, stopRecorded, writeRecorded } from './state.ts'

interface Choice {
  readonly only: readonly ServiceName[]
  readonly ports?: Ports
}

type Ports = Partial<Record<ServiceName, number>>

interface ForegroundChoice extends Choice {
  readonly all?: true
}

function parseNames(text: string): ServiceName[] {
  return text.split(',').map((part) => {
    const name = serviceNames.find((name) => name === part.trim())
    if (!name) throw new InvalidArgumentError(`"${part}" is none of ${serviceNames.join(', ')}`)
    return name
  })
}

/** `kafka=9092,registry=8081` */
function parsePorts(text: string): Ports {
  const ports: Ports = {}
  for (const part of text.split(',')) {
    const [given = '', digits = ''] = part.split('=')
    const [name] = parseNames(given)
    const port = /^\d{1,5}$/.test(digits) ? Number(digits) : 0
    if (port < 1 || port > 65_535)
      throw new InvalidArgumentError(`"${part}" is not a name with a port, such as kafka=9092`)
    ports[name!] = port
  }
  return ports
}

/** Starts them side by side and says what became of each; those that can't be had are left out of the result. */
async function startAll(names: readonly ServiceName[], lifetime: Lifetime, ports: Ports = {}) {
  const starts = names.map(async (name) => {
    const begin = Date.now()
    try {
      const port = ports[name]
      if (port !== undefined && !(await isFree(port)))
        throw new Error(`port ${port} is taken; choose another with --ports`)
      const service = await startService(name, { lifetime, ...(port === undefined ? {} : { port }) })
      console.log(`${name}: ready at ${service.address} after ${((Date.now() - begin) / 1000).toFixed(1)} s`)
      return service
    } catch (error) {
      console.error(`${name}: not available: ${(error as Error).message}`)
      return undefined
    }
  })
  return (await Promise.all(starts)).filter((service) => service !== undefined)
}

function printExports(services: readonly RunningService[]): void {
  if (services.length === 0) return
  console.log('\nTests find them by:')
  printVariables(testVariables(services))
  const variables = productVariables(services)
  if (Object.keys(variables).length === 0) return
  console.log('\nTo run on them, in each terminal:')
  printVariables(variables)
  console.log('npm start')
}

function printVariables(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) console.log(`export ${name}='${value}'`)
}

async function runInForeground({ only, all, ports }: ForegroundChoice): Promise<void> {
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
  })
  // Whatever is not ready yet when we are asked to end dies with this process.
  const services = await Promise.race([startAll(only, 'ours', ports), asked])
  if (!services) process.exit(130)
  if (services.length < (all ? only.length : 1)) {
    await Promise.all(services.map((service) => service.stop()))
    process.exit(1)
  }
  printExports(services)
  console.log('\nThey run until Ctrl-C')
  const alive = setInterval(() => {}, 60_000)
  await asked
  clearInterval(alive)
  await Promise.all(services.map((service) => service.stop()))
  console.log('All are stopped and their data is removed')
  process.exit(0)
}

async function up({ only, ports = {} }: Choice): Promise<void> {
  const running = readRunning()
  await Promise.all(
    readRecorded()
      .filter((service) => !isRunning(service))
      .map(stopRecorded),
  )
  const elsewhere = running.filter(
    ({ name, address }) => ports[name] !== undefined && !address.includes(`:${ports[name]}`),
  )
  for (const { name, address } of elsewhere)
    console.error(`${name}: runs at ${address} already; stop it first with "npm run services -- down --only ${name}"`)
  const missing = only.filter((name) => !running.some((service) => service.name === name))
  const started = await startAll(missing, 'detached', ports)
  const services = [...running, ...started.map(record)]
  writeRecorded(services)
  printExports(services)
  process.exit(started.length === missing.length && elsewhere.length === 0 ? 0 : 1)
}

async function down({ only }: Choice): Promise<void> {
  const recorded = readRecorded()
  await Promise.all(recorded.filter(({ name }) => only.includes(name)).map(stopRecorded))
  writeRecorded(recorded.filter(({ name }) => !only.includes(name)))
  console.log(recorded.length === 0 ? 'Nothing was running' : 'Stopped, and their data is removed')
}

function status(): void {
  const recorded = readRecorded()
  for (const service of recorded) {
    const state = isRunning(service) ? 'running' : 'ended'
    console.log(
      `${service.name}: ${state} at ${service.address}, process ${service.pids.join(', ')}, log ${service.logFile}`,
    )
    if (!existsSync(service.folder)) console.log(`  its folder ${service.folder} is gone`)
  }
  if (recorded.length === 0) console.log('Nothing runs; start it with "npm run services -- up"')
  printExports(recorded.filter(isRunning))
}

const program = new Command('services')
  .description('Services for trying things out and for tests, on this machine and for it alone')
  .enablePositionalOptions()
  .option('--only <names>', `a list of ${serviceNames.join(', ')}`, parseNames, [...defaultServices])
  .option(
    '--ports <list>',
    'ports of the loopback address, such as kafka=9092,registry=8081; free ones unless given',
    parsePorts,
  )
  .option('--all', 'end with an error when one of them is not available')
  .action(runInForeground)
program
  .command('up')
  .description('start those that do not run yet, and leave them running')
  .option('--only <names>', 'which', parseNames, [...defaultServices])
  .option('--ports <list>', 'on which ports, such as kafka=9092,registry=8081', parsePorts)
  .action(up)
program
  .command('down')
  .description('stop what "up" started and remove its data')
  .option('--only <names>', 'which', parseNames, [...serviceNames])
  .action(down)
program
  .command('network-library')
  .description("download the network's own library of signatures, with which tests compare ours")
  .action(installNetworkLibrary)
program.command('status').description('what runs, and where').action(status)
await program.parseAsync()
