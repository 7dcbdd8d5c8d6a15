import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { recordHeaders } from '#src/adapters/kafka/records.ts'
import { exampleCode } from './document.ts'

const text = readFileSync(new URL('../../docs/how-to/subscribe-to-events.md', import.meta.url), 'utf8')

it.each(Object.keys(recordHeaders))('the how-to for subscribers explains the header %s', (header) => {
  const table = text.split('\n').filter((line) => line.startsWith('| `'))
  expect(table.filter((line) => line.split('|')[1]?.includes(`\`${header}\``))).toHaveLength(1)
})

it.each(['kcat-list', 'kcat-schema', 'kcat-time', 'kcat-logs'])(
  'its example %s reads what is committed only',
  (name) => {
    expect(exampleCode(name)).toContain('-X isolation.level=read_committed')
  },
)

it.each(['python-subscriber', 'python-group', 'python-token-balances'])(
  'its example %s reads what is committed only',
  (name) => {
    expect(exampleCode(name)).toContain('"isolation.level": "read_committed"')
  },
)

it('its programs in Python keep to one module of theirs for decoding', () => {
  for (const name of ['python-subscriber', 'python-group', 'python-token-balances'])
    expect(exampleCode(name)).toContain('from ledger_events import Events')
})

it('its settings for Kafka Connect read what is committed only', () => {
  expect(exampleCode('connect-settings')).toContain('consumer.override.isolation.level=read_committed')
})
