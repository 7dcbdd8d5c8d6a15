import { expect, it } from 'vitest'
import { richHtml } from '#src/domain/status/rich-text.ts'
import { Prng } from '#src/simulator/prng.ts'
import { seed } from '#test/drill/random.ts'
import { hostileText } from '#test/support/hostile-texts.ts'

const link = (target: string, words: string) => `<a href="${target}" rel="nofollow noopener">${words}</a>`

it.each([
  ['plain words', 'plain words'],
  ['**bold** and `code`', '<strong>bold</strong> and <code>code</code>'],
  ['two\r\nlines\n', 'two<br>lines<br>'],
  ['[words](https://example.org/a?b=c&d=e).', `${link('https://example.org/a?b=c&amp;d=e', 'words')}.`],
  ['[us](mailto:help@example.org)', link('mailto:help@example.org', 'us')],
  ['see http://example.org/x, now', `see ${link('http://example.org/x', 'http://example.org/x')}, now`],
  ['(https://example.org)', `(${link('https://example.org', 'https://example.org')})`],
  ['***a** b*', '*<strong>a</strong> b*'],
  ['**bold `not code`**', '<strong>bold `not code`</strong>'],
  ['`**not bold**`', '<code>**not bold**</code>'],
  ['[](https://b.c)', `[](${link('https://b.c', 'https://b.c')})`],
  ['[[a](https://b.c)', link('https://b.c', '[a')],
])('makes of %j %j', (text, html) => {
  expect(richHtml(text)).toBe(html)
})

it.each([
  '[a](javascript:alert(1))',
  '[a](JavaScript:x)',
  '[a](data:text/html,x)',
  '[a](//example.org)',
  '[a](https://)',
  '[a](mailto:)',
  '**',
  '****',
  '``',
  'http://',
  'https://.,;:!?',
  'ftp://example.org',
  '**across\nlines**',
])('leaves %j as it was typed', (text) => {
  expect(richHtml(text)).toBe(text.replaceAll('\n', '<br>'))
})

/** What a reader sees of it, and what elements there are. */
function seen(html: string): { text: string; tags: string[] } {
  const tags = [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag)
  const text = html.replaceAll('<br>', '\n').replace(/<[^>]*>/g, '')
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  return { text: plain, tags }
}

it(`makes nothing but its own elements of whatever is typed, seed ${seed}`, () => {
  const prng = new Prng(`rich text ${seed}`)
  const own = /^<(?:\/?strong|\/?code|br|\/a|a href="(?:https?:\/\/|mailto:)[^"<>]*" rel="nofollow noopener")>$/
  for (let count = 0; count < 10_000; count++) {
    const text = hostileText(prng, 400, { lines: true })
    const { tags, text: shown } = seen(richHtml(text))
    expect(tags.filter((tag) => !own.test(tag))).toEqual([])
    // Marks are gone where they became elements; the words are all there.
    const words = (of: string) => of.replace(/\r\n/g, '\n').replace(/[*`[\]()]/g, '')
    if (!text.includes('](')) expect(words(shown)).toBe(words(text))
  }
})

it.each([
  '[',
  '[a](',
  '[a](http://x',
  '[](https://a',
  '**a',
  '*',
  '`',
  'http://',
  'http://,',
  'h',
  '](',
  '[[]](mailto:',
  '<&">',
])('takes time in proportion to the text for %j over and over', (piece) => {
  const timeOf = (characters: number): number => {
    const text = piece.repeat(characters / piece.length)
    const started = performance.now()
    richHtml(text)
    return performance.now() - started
  }
  timeOf(100_000)
  // Quadratic, 2 million characters would take minutes.
  expect(timeOf(2_000_000)).toBeLessThan(5_000)
})
