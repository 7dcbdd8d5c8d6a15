// Services of one test alone, which it may kill and start again on the same port and data.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { ferretDbInstallation } from '../../scripts/services/ferretdb.ts'
import { cacheFolder } from '../../scripts/services/folders.ts'
import { kafkaInstallation } from '../../scripts/services/kafka.ts'
import { mongoJavaInstallation } from '../../scripts/services/mongo-java.ts'
import { registryInstallation } from '../../scripts/services/registry.ts'
import { hasTool } from '../../scripts/services/run-tool.ts'

export { startFerretDb } from '../../scripts/services/ferretdb.ts'
export { type LocalKafka, startKafka } from '../../scripts/services/kafka.ts'
export { startMongoJava } from '../../scripts/services/mongo-java.ts'
export { startRegistry } from '../../scripts/services/registry.ts'
export type { LocalService } from '../../scripts/services/service-folder.ts'

const installed = {
  kafka: { folder: kafkaInstallation, tool: 'java' },
  registry: { folder: registryInstallation, tool: 'java' },
  'mongo-java': { folder: mongoJavaInstallation, tool: 'java' },
  ferretdb: { folder: ferretDbInstallation, tool: undefined },
} as const

export type OwnService = keyof typeof installed
export const ownServices = Object.keys(installed) as OwnService[]

/** Why the test can't start such a service itself; undefined where it can. */
export function whyNoOwn(name: OwnService): string | undefined {
  const { folder, tool } = installed[name]
  if (tool !== undefined && !hasTool(tool)) return `${name} needs ${tool}, not found on the PATH`
  return existsSync(join(cacheFolder, folder))
    ? undefined
    : `${name} is not installed; "npm run services -- up --only ${name}" does it`
}

/** Tests that start these services themselves; skipped with the reason in their name where they can't. */
export function describeWithOwn(services: readonly OwnService[], name: string, body: () => void): void {
  const reasons = services.flatMap((service) => whyNoOwn(service) ?? [])
  if (reasons.length === 0) describe(name, body)
  else describe(`${name} (skipped: ${reasons.join('; ')})`, () => it.skip('everything in it', () => {}))
}
