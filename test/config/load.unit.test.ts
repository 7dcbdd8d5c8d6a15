import { describe, expect, it } from 'vitest'
import { type ConfigSources, loadConfig } from '#src/config/load.ts'
import { configToJson, formatConfigTable } from '#src/config/print.ts'
import { configKeys } from '#src/config/schema.ts'
import { isLedgerError } from '#src/domain/errors.ts'

function load(sources: Partial<Omit<ConfigSources, 'file'>> & { file?: unknown } = {}) {
  const file =
    sources.file === undefined ? undefined : { name: 'ledger-history.json', text: JSON.stringify(sources.file) }
  return loadConfig({ flags: sources.flags ?? {}, environment: sources.environment ?? {}, file })
}

function problemsOf(run: () => unknown): readonly string[] {
  try {
    run()
  } catch (error) {
    if (isLedgerError(error, 'config_invalid')) return error.details['problems'] as string[]
    throw error
  }
  return []
}

describe('configuration', () => {
  it('takes the flag before the environment, the environment before the file, the file before the default', () => {
    const file = { port: 1, host: '0.0.0.0', data: 'from-file' }
    const { config, origins } = load({
      flags: { port: '3' },
      environment: { LEDGER_PORT: '2', LEDGER_HOST: '::1' },
      file,
    })
    expect(config).toMatchObject({ port: 3, host: '::1', data: 'from-file', once: false })
    expect(['port', 'host', 'data', 'once'].map((name) => origins.get(name))).toEqual([
      'flag',
      'environment',
      'file',
      'default',
    ])
  })

  it('writes a unit as one word in flags and variables', () => {
    const flagged = load({ flags: { 'memory-answers-mib': '7' } })
    const varied = load({ environment: { LEDGER_MEMORY_ANSWERS_MIB: '8' } })
    expect([flagged, varied].map(({ config }) => config.memory.answersMiB)).toEqual([7, 8])
    expect(configKeys.filter(({ flagName }) => /-mi-b|-mi-$/.test(flagName))).toEqual([])
  })

  it('reports all problems in one message, each with the place where the value was given', () => {
    const run = () =>
      load({
        flags: { port: 'seven' },
        environment: { LEDGER_LOG_LEVEL: 'loud' },
        file: { import: { keepRawBytes: 'maybe' }, imports: 1 },
      })
    expect(problemsOf(run)).toEqual([
      '--port must be an integer 0 to 65535, not "seven"',
      'ledger-history.json: import.keepRawBytes must be true or false, not "maybe"',
      'LEDGER_LOG_LEVEL must be error | warn | info | debug | trace, not "loud"',
      'ledger-history.json: imports is not a known key',
    ])
    expect(run).toThrow(/^Configuration has 4 problems:\n {2}- --port/)
  })

  it('reads like a sentence for empty text, for lists, for instants, and for text in the place of an object', () => {
    const flags = { source: '', 'start-date': 'soon', 'sidecar-types': 'all' }
    expect(problemsOf(() => load({ flags, file: { log: 'x', source: { s3: 'y' } } }))).toEqual([
      '--source must be simulated, none, a folder, or s3://<bucket>, not empty',
      '--start-date must be a UTC instant such as 2019-09-13T21:53:51Z, or nothing, not "soon"',
      '--sidecar-types must be a list of state-changes, actions, bytecode, not "all"',
      'ledger-history.json: log must be an object with the keys below it',
      'ledger-history.json: source.s3 must be an object with the keys below it',
    ])
    expect(problemsOf(() => load({ environment: { LEDGER_API_USERS: 'ann' } }))).toEqual([
      'LEDGER_API_USERS must be a list of username:password:pageSizeMax (value hidden)',
    ])
  })

  it.each(['simulated', 'streams', './a folder', '/var/s3:/x', 's3://bucket', 's3://bucket/path'])(
    'takes the source %s',
    (source) => expect(load({ flags: { source } }).config.source.location).toBe(source),
  )

  it.each(['s3://', 's3:///path', 'http://x/y', 'file:///streams', 'gs://bucket'])(
    'refuses the source %s',
    (source) => {
      expect(problemsOf(() => load({ flags: { source } }))).toEqual([
        `--source must be simulated, none, a folder, or s3://<bucket>, not "${source}"`,
      ])
    },
  )

  it('takes the mixes and kinds that the simulator has, and names them where it has none', () => {
    expect(load({ flags: { mix: 'transfers,hbarTransfer=3' } }).config.simulation.mix).toEqual([
      { preset: 'transfers' },
      { kind: 'hbarTransfer', weight: 3 },
    ])
    for (const mix of ['foo=3', 'foo', 'hbarTransfer', 'default=1', 'toString', 'toString=1']) {
      const [problem] = problemsOf(() => load({ flags: { mix } }))
      expect(problem).toMatch(
        /^--mix must be a list such as default,.*, not ".*"; there are the mixes default, transfers and the kinds hbarTransfer, .*topicMessage, /,
      )
    }
  })

  it('refuses a redacted secret, with where to put the secret', () => {
    const file = { source: { s3: { accessKey: 'id', secretKey: '[redacted]' } }, api: { users: ['ann:[redacted]:50'] } }
    expect(problemsOf(() => load({ file }))).toEqual([
      expect.stringMatching(
        /^ledger-history.json: source.s3.secretKey says \[redacted\], .* put the secret there, .* set LEDGER_SOURCE_S3_SECRET_KEY$/,
      ),
      expect.stringMatching(/^ledger-history.json: api.users says \[redacted\], .*LEDGER_API_USERS$/),
    ])
  })

  it('prints users so that only the passwords have to be put in', () => {
    const loaded = load({ environment: { LEDGER_API_USERS: 'ann:hunter4:50,bob:hunter5:60' } })
    const printed = configToJson(loaded) as { api: { users: unknown } }
    expect(printed.api.users).toEqual([
      { username: 'ann', password: '[redacted]', pageSizeMax: 50 },
      { username: 'bob', password: '[redacted]', pageSizeMax: 60 },
    ])
    const filled = JSON.parse(JSON.stringify(printed).replaceAll('[redacted]', 'secret')) as unknown
    expect(load({ file: filled }).config.api.users[1]).toEqual({ username: 'bob', password: 'secret', pageSizeMax: 60 })
  })

  it('refuses values that contradict each other', () => {
    expect(problemsOf(() => load({ flags: { 'start-date': '2024-01-02', 'end-date': '2024-01-01' } }))).toEqual([
      'source.startDate lies after source.endDate',
    ])
    expect(problemsOf(() => load({ environment: { LEDGER_SOURCE_S3_SECRET_KEY: 'x' } }))).toHaveLength(1)
  })

  it('keeps a third exact and reads other forms of a share', () => {
    expect(load().config.import.consensusRatio).toEqual({ numerator: 1n, denominator: 3n })
    expect(load({ flags: { 'consensus-ratio': '0' } }).config.import.consensusRatio.numerator).toBe(0n)
    expect(load({ file: { import: { consensusRatio: 0.25 } } }).config.import.consensusRatio).toEqual({
      numerator: 25n,
      denominator: 100n,
    })
    expect(problemsOf(() => load({ flags: { 'consensus-ratio': '4/3' } }))).toHaveLength(1)
  })

  it('reads instants to the nanosecond', () => {
    const { config } = load({ flags: { 'start-date': '2019-09-13T21:53:51.396440001Z', 'end-date': '1568411632.5' } })
    expect(config.source.startDate).toBe(1_568_411_631_396_440_001n)
    expect(config.source.endDate).toBe(1_568_411_632_500_000_000n)
    expect(problemsOf(() => load({ flags: { 'start-date': '2019-13-01' } }))).toHaveLength(1)
  })

  it('never shows a secret, neither in the table, nor as JSON, nor in a problem', () => {
    const secrets = { source: { s3: { accessKey: 'id', secretKey: 'hunter2' } }, api: { users: ['ann:hunter3:50'] } }
    const loaded = load({ file: secrets })
    const shown = formatConfigTable(loaded) + JSON.stringify(configToJson(loaded))
    expect(shown).toContain('[redacted]')
    expect(shown).not.toMatch(/hunter/)
    expect(JSON.stringify(problemsOf(() => load({ environment: { LEDGER_API_USERS: 'hunter4' } })))).not.toMatch(
      /hunter/,
    )
  })

  it('warns of an unknown variable without failing, since platforms set variables of their own', () => {
    expect(load({ environment: { LEDGER_SERVICE_PORT: '80', LEDGER_LAUNCHER: '1' } }).warnings).toEqual([
      'LEDGER_SERVICE_PORT is not a known setting and was ignored',
    ])
  })

  it('cannot be changed once loaded', () => {
    const { config } = load()
    expect(() => Object.assign(config.source.s3, { region: 'elsewhere' })).toThrow(TypeError)
  })

  it('gives every key a flag and a variable of its own, and a default that it accepts itself', () => {
    expect(new Set(configKeys.map((named) => named.flagName)).size).toBe(configKeys.length)
    expect(new Set(configKeys.map((named) => named.variable)).size).toBe(configKeys.length)
    const printed = configToJson(load())
    expect(configToJson(load({ file: printed }))).toEqual(printed)
  })
})
