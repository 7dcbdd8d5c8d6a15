import { describe, expect, it } from 'vitest'
import { readText } from './files.ts'

const lines = readText('Dockerfile')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
const instructions = lines.filter((line) => /^[A-Z]+ /.test(line))
const of = (name: string) => instructions.filter((line) => line.startsWith(`${name} `))

describe('Dockerfile', () => {
  it('builds on the Node that the checkout runs on', () => {
    const { devDependencies } = JSON.parse(readText('package.json')) as { devDependencies: Record<string, string> }
    const images = of('FROM').map((line) => line.split(' ')[1])
    expect(images).toEqual(Array(2).fill(`node:${devDependencies['node']}-bookworm-slim`))
  })

  it('installs what production needs, and no scripts of packages run', () => {
    expect(of('RUN')[0]).toContain('npm install --omit=dev')
    expect(of('RUN')[0]).toContain('--ignore-scripts')
  })

  it('copies what the program imports and nothing else of the checkout', () => {
    const lastStage = instructions.slice(instructions.lastIndexOf(of('FROM').at(-1) ?? ''))
    const copied = lastStage.filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
    const sources = copied.map((line) => line.split(' ')[1])
    expect(sources).toEqual(['package.json', 'schemas', 'src', 'projections', 'commands', 'queries'])
    const allowed = readText('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
    expect(allowed.map((line) => line.slice(1)).sort()).toEqual([...sources, 'package-lock.json'].sort())
  })

  it('runs as a user without rights, who owns the folders that are written to', () => {
    const user = instructions.indexOf('USER node')
    expect(user).toBeGreaterThan(instructions.findIndex((line) => line.includes('chown node:node /data /streams')))
    expect(user).toBeLessThan(instructions.findIndex((line) => line.startsWith('ENTRYPOINT')))
  })

  it('asks the service itself whether it lives', () => {
    expect(of('HEALTHCHECK')).toHaveLength(1)
    expect(of('HEALTHCHECK')[0]).toContain('/health/liveness')
  })

  it('starts the program without a shell or launcher between it and its signals', () => {
    expect(of('ENTRYPOINT')).toEqual([
      'ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "src/cli/main.ts"]',
    ])
    expect(of('CMD')).toEqual(['CMD ["start"]'])
  })
})
