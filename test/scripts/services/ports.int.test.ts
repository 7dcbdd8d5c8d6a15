import { spawnSync } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../../../scripts/services/folders.ts'

function services(...args: readonly string[]) {
  return spawnSync(process.execPath, [join(repositoryRoot, 'scripts', 'services', 'main.ts'), ...args], {
    encoding: 'utf8',
    cwd: repositoryRoot,
  })
}

describe('ports of local services', () => {
  it('are not shared with a program that listens there', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const { status, stderr } = services('--only', 'kafka', '--ports', `kafka=${port}`)
    other.close()
    expect(status).toBe(1)
    expect(stderr).toBe(`kafka: not available: port ${port} is taken; choose another with --ports\n`)
  })

  it.each(['kafka', 'kafka=0', 'kafka=70000', 'oracle=1521'])('have to be given with a name: %s', (text) => {
    const { status, stderr } = services('--only', 'kafka', '--ports', text)
    expect(status).toBe(1)
    expect(stderr).toMatch(/is not a name with a port, such as kafka=9092|is none of kafka, registry/)
  })
})
