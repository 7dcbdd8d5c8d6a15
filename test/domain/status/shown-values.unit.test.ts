import { expect, it } from 'vitest'
import { isPageAddress, isShownDay, isShownInstant, isShownLine, isShownText } from '#src/domain/status/shown-values.ts'

it('takes the days that the calendar has', () => {
  for (const day of ['1970-01-01', '2024-02-29', '2026-12-31', '2199-12-31'])
    expect([day, isShownDay(day)]).toEqual([day, true])
  for (const day of ['2026-13-01', '9999-99-99', '2026-02-29', '2026-02-30', '2026-00-10', '1969-12-31', '2200-01-01'])
    expect([day, isShownDay(day)]).toEqual([day, false])
  for (const text of ['', '2026-1-1', '2026-01-01T00:00:00Z', '+002026-01-01', ' 2026-01-01'])
    expect([text, isShownDay(text)]).toEqual([text, false])
})

it('takes the instants that such a day has', () => {
  expect(isShownInstant('2026-02-28T23:59:59.999Z')).toBe(true)
  for (const text of [
    '9999-99-99T99:99:99.999Z',
    '2026-02-30T00:00:00.000Z',
    '2026-01-01T24:30:00.000Z',
    '2026-01-01T24:00:00.000Z',
    '2026-01-01T00:00:60.000Z',
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00.000+00:00',
  ])
    expect([text, isShownInstant(text)]).toEqual([text, false])
})

it('takes texts whose every character a page and a feed can hold, whatever they say', () => {
  const shown = ['', 'Störung 状態 🚦', '<script>&"\'', '\u202Eright to left', 'a\u0301\u200B']
  for (const text of shown) expect([text, isShownLine(text), isShownText(text)]).toEqual([text, true, true])
  expect([isShownLine('two\nlines'), isShownText('two\r\nlines\tand more')]).toEqual([false, true])
  for (const text of ['\u0000', 'bell \u0007', 'half \ud83d', '\udea6 other half', '\ufffe', '\uffff', '\u0085'])
    expect([isShownLine(text), isShownText(text)]).toEqual([false, false])
})

it('takes addresses that a path can be added to', () => {
  for (const text of ['https://status.example.org', 'http://127.0.0.1:5551/', 'https://example.org/status'])
    expect([text, isPageAddress(text)]).toEqual([text, true])
  for (const text of [
    '',
    'status.example.org',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://',
    'https://a b',
    'https://user:secret@example.org',
    'https://example.org/?a=b',
    'https://example.org/#a',
    'https:example.org',
    'https://\u0000example.org',
  ])
    expect([text, isPageAddress(text)]).toEqual([text, false])
})
