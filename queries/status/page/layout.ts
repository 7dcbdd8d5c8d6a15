import { createHash } from 'node:crypto'
import type { ComponentChildren } from 'preact'
import { h } from 'preact'
import { render } from 'preact-render-to-string'
import type { PageRow } from '#projections/status/schema.ts'
import type { Answer } from '#queries/common/route.ts'
import { icons } from '#queries/status/page/icons.ts'
import { html } from '#queries/status/page/markup.ts'
import { script } from '#queries/status/page/script.ts'
import { style } from '#queries/status/page/style.ts'
import { shortTime } from '#src/domain/status/zoned-time.ts'

export interface PageContent {
  readonly page: PageRow
  readonly title: string
  /** HTML. */
  readonly main: string
  /** What changes when readers should see the page anew; nothing where it does not refresh itself. */
  readonly refresh?: string
  readonly status?: number
}

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const policy = [
  "default-src 'none'",
  `style-src ${digest(style)}`,
  `script-src ${digest(script)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** A whole HTML document, and the headers that go with it: what is not of the page itself is not run. */
export function pageAnswer(content: PageContent): Answer {
  const body = `<!doctype html>\n${render(h('html', { lang: 'en' }, headOf(content), bodyOf(content)))}\n`
  const headers = {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  }
  return {
    body,
    type: 'text/html; charset=utf-8',
    headers,
    ...(content.status !== undefined && { status: content.status }),
  }
}

function headOf({ page, title }: PageContent): ComponentChildren {
  const name = page.name ?? 'Status'
  return html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} - ${name} Status</title>
    <link rel="icon" href="data:," />
    <link rel="alternate" type="application/atom+xml" href="/history.atom" title="Atom" />
    <link rel="alternate" type="application/rss+xml" href="/history.rss" title="RSS" />
    ${h('style', { dangerouslySetInnerHTML: { __html: style } })}
  </head>`
}

function bodyOf({ page, main, refresh }: PageContent): ComponentChildren {
  const name = page.name ?? 'Status'
  return html`<body data-refresh=${refresh}>
    ${icons}
    <a class="skip" href="#main">Skip to the content</a>
    <header><p><bdi>${name}</bdi> Status</p>
      <nav aria-label="Pages"><a href="/">Now</a><a href="/history">History</a><a href="/uptime">Uptime</a></nav>
    </header>
    ${h('main', { id: 'main', tabIndex: -1, dangerouslySetInnerHTML: { __html: main } })}
    <footer>
      <p class="dim">Last change: ${timeOf(page.updated, page.timeZone)}. Times are in ${page.timeZone}.</p>
      <nav aria-label="Feeds and data"><a href="/history.atom">Atom feed</a><a href="/history.rss">RSS feed</a><a href="/api/v2/summary.json">JSON</a></nav>
    </footer>
    <div id="said" class="skip" role="status" aria-live="polite"></div>
    ${h('script', { dangerouslySetInnerHTML: { __html: script } })}
  </body>`
}

/** With the zone written out; a script puts the local time beside it. */
export function timeOf(instant: string, timeZone: string): ComponentChildren {
  return html`<time datetime=${instant} data-zone=${timeZone}>${shortTime(instant, timeZone)}</time>`
}
