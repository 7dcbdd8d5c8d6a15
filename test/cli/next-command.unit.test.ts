import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { deploymentGroups, nextCommand } from '#src/cli/importing/next-command.ts'
import { loadConfig } from '#src/config/load.ts'

function commandWith(flags: Record<string, string>, environment: Record<string, string> = {}, config?: string): string {
  const command = new Command().option('--config <file>')
  command.parse(config === undefined ? [] : ['--config', config], { from: 'user' })
  const loaded = loadConfig({ flags, environment, file: undefined })
  return nextCommand('import promote 2', loaded, command, [...deploymentGroups, 'source'])
}

describe('the next command', () => {
  it('is bare where all is at its default, or said by the environment', () => {
    expect(commandWith({}, { LEDGER_DATA: '/var/ledger' })).toBe('ledger-history import promote 2')
  })

  it('repeats the flags that name the deployment, as a shell takes them', () => {
    const flags = { data: "/var/ann's ledger", log: 'kafka', 'kafka-brokers': 'a:9092,b:9092', port: '8080' }
    expect(commandWith(flags)).toBe(
      `ledger-history import promote 2 --data '/var/ann'\\''s ledger' --log kafka --kafka-brokers a:9092,b:9092`,
    )
  })

  it('repeats the configuration file, and no secrets', () => {
    const withPassword = commandWith({ 'mongodb-uri': 'mongodb://ann:secret-word@a:27017' })
    expect(withPassword).toMatch(/ --mongodb-uri 'mongodb:\/\/\[redacted\]@a:27017'$/)
    expect(commandWith({ 'mongodb-uri': 'mongodb://a:27017/' })).toMatch(/ --mongodb-uri mongodb:\/\/a:27017\/$/)
    for (const uri of [
      'mongodb://ann:sec@ret-word@a:27017',
      'mongodb://ann:secret/word@a',
      'mongodb://a/?tlsCertificateKeyFilePassword=secret-word&retryWrites=true',
    ]) {
      expect(commandWith({ 'mongodb-uri': uri })).toMatch(/\[redacted\]/)
      expect(commandWith({ 'mongodb-uri': uri })).not.toMatch(/word@|secret/)
    }
    expect(commandWith({ 'registry-url': 'http://ann:secret-word@a:8081/x' })).toMatch(
      / --registry-url 'http:\/\/\[redacted\]@a:8081\/x'$/,
    )
    expect(commandWith({ 'registry-url': 'http://a:8081/x' })).toMatch(/ --registry-url http:\/\/a:8081\/x$/)
    const flags = {
      'kafka-sasl-mechanism': 'plain',
      'kafka-sasl-username': 'ann',
      'kafka-sasl-password': 'secret-word',
    }
    expect(commandWith(flags, {}, 'mine.json')).toBe(
      'ledger-history import promote 2 --config mine.json --kafka-sasl-mechanism plain --kafka-sasl-username ann',
    )
  })
})
