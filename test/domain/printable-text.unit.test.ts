import { expect, it } from 'vitest'
import { printableText } from '#src/domain/printable-text.ts'

it('leaves text as it is', () => {
  expect(printableText('Knoten läuft: 節点 ok')).toBe('Knoten läuft: 節点 ok')
})

it('shows what terminals and logs would act on', () => {
  const text = 'a\u001b[31mb\r\nc\u0000\u009b\u202e\u200b\u2028\ud800'
  expect(printableText(text)).toBe('a\u{fffd}[31mb\u{fffd}\u{fffd}c\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}')
})

it('is at most 200 characters long', () => {
  expect(printableText('x'.repeat(200))).toHaveLength(200)
  expect(printableText('x'.repeat(1_000_000))).toBe(`${'x'.repeat(199)}…`)
})
