import { join } from 'node:path'
import { installJars, installOnce } from './install.ts'
import { requireTools, runTool } from './run-tool.ts'
import type { LocalService, ServiceOptions } from './service-folder.ts'
import { startSingleProcess } from './single-process.ts'

const version = '2.6.13.Final'
/** Name of its folder in the cache. */
export const registryInstallation = `apicurio-registry-${version}`
const readyWithinMs = 120_000

/**
 * Starts Apicurio Registry in memory: what was registered is gone after a restart. The address is the one of its
 * Confluent-compatible API.
 */
export async function startRegistry(options: ServiceOptions = {}): Promise<LocalService> {
  requireTools('the schema registry', ['java'])
  const program = await installRegistry()
  return await startSingleProcess({
    name: 'registry',
    options,
    address: ({ port }) => registryAddress(port),
    command: ({ port }) => ({
      command: 'java',
      args: [
        '-Xmx384m',
        '-XX:+UseSerialGC',
        '-Dquarkus.http.host=127.0.0.1',
        `-Dquarkus.http.port=${port}`,
        '-cp',
        `${join(program, `apicurio-registry-app-${version}-runner.jar`)}:${join(program, 'lib', '*')}`,
        'io.quarkus.runner.GeneratedMain',
      ],
    }),
    isReady: ({ port }) => answers(`${registryAddress(port)}/subjects`),
    readyWithinMs,
  })
}

function registryAddress(port: number): string {
  return `http://127.0.0.1:${port}/apis/ccompat/v7`
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
  await response?.body?.cancel()
  return response?.ok ?? false
}

async function installRegistry(): Promise<string> {
  return await installOnce(registryInstallation, 'archive', ['tar'], async (folder) => {
    const download = await installJars(`${registryInstallation}-archive`, [
      `io.apicurio:apicurio-registry-app:${version}:tar.gz:all`,
    ])
    const archive = join(download, 'lib', `apicurio-registry-app-${version}-all.tar.gz`)
    await runTool('tar', ['-xzf', archive, '-C', folder], { cwd: folder, timeoutMs: 120_000 })
  })
}
