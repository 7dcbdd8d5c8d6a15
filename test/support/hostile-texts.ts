import type { Prng } from '#src/simulator/prng.ts'

/** Pieces of texts that have broken pages, feeds and parsers elsewhere; all of them may be typed. */
const pieces: readonly string[] = [
  '<script>document.title=1</script>',
  '<img src=x onerror="document.title=2">',
  '</title><svg onload=document.title=3>',
  ']]><x xmlns="http://www.w3.org/1999/xhtml">',
  '<!-- -->',
  '<![CDATA[',
  '&amp;lt;b&amp;gt;',
  '&#x0;&nbsp;&bogus;',
  '"\'`=<>',
  'javascript:document.title=4',
  '[click](javascript:document.title=5)',
  '[click](data:text/html,<script>document.title=6</script>)',
  '[a](https://example.org/"onmouseover="document.title=7)',
  '[mail](mailto:someone@example.org?subject=x)',
  '[[[[[[',
  '](](](',
  '**',
  '****a****',
  '**bold `code** not`',
  '`',
  'https://example.org/?a=b&c=<d>',
  'http://',
  '[x](http://',
  '\u202Eright to left\u202C',
  '\u2066isolated',
  '\u200B\u200D\uFEFF',
  'Z\u0351\u0363\u0338\u035Aa\u0346\u0333l\u0327go',
  '\u{1F6A6}\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
  '漢字かな한글',
  'مرحبا بالعالم',
  '{{7*7}}<%= 7*7 %>#{7*7}',
  '__proto__',
  '%0d%0aSet-Cookie:%20a=b',
  '../../etc/passwd',
  "'; DROP TABLE updates; --",
  '\u{10FFFD}',
  'a'.repeat(300),
  '<'.repeat(200),
  '[a]('.repeat(50),
]
/** What only a text of several lines may have. */
const breaks: readonly string[] = ['\n', '\r\n', '\t', '\n\n\n']

/** A text of at most so many characters, other than blank. */
export function hostileText(prng: Prng, charactersMax: number, { lines = false } = {}): string {
  const from = lines ? [...pieces, ...breaks] : pieces
  let text = ''
  for (let count = prng.between(1, 6); count > 0; count--) text += prng.chance(0.2) ? anyText(prng) : prng.pick(from)
  const cut = [...text].slice(0, charactersMax).join('')
  return cut.trim() === '' ? 'x' : cut
}

/** Characters from everywhere that Unicode has some; those that cannot be shown are left out. */
function anyText(prng: Prng): string {
  const points = Array.from({ length: prng.between(1, 12) }, () =>
    prng.chance(0.5) ? prng.between(0x20, 0x7e) : prng.between(0xa0, 0x10fffd),
  )
  return String.fromCodePoint(...points).replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu, '')
}
