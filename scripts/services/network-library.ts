import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from './folders.ts'
import { installJars } from './install.ts'
import { hasTool } from './run-tool.ts'

const version = '3.8.1'
const installation = `network-library-${version}`

/** Downloads the library with which real nodes sign and verify, once. */
export async function installNetworkLibrary(): Promise<void> {
  await installJars(installation, [`com.hedera.cryptography:hedera-cryptography-wraps:${version}`])
}

/** The folder of its jars, or why it can't be asked. */
export function findNetworkLibrary(): { readonly jars: string } | { readonly missing: string } {
  if (!hasTool('java')) return { missing: "the network's own library needs java, not found on the PATH" }
  const jars = join(cacheFolder, installation, 'lib')
  return existsSync(jars)
    ? { jars }
    : { missing: `the network's own library is not installed; "npm run services -- network-library" does it` }
}
