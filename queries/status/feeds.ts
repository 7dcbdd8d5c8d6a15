import { Fragment, h } from 'preact'
import { render } from 'preact-render-to-string'
import type { PageRow, UpdateRow } from '#projections/status/schema.ts'
import type { WholeIncident } from '#queries/status/find-incidents.ts'
import { richText } from '#queries/status/rich-text.ts'
import { stateName } from '#queries/status/state-names.ts'
import { shortTime } from '#src/domain/status/zoned-time.ts'

interface FeedPage {
  readonly name: string
  readonly url: string
  readonly host: string
  readonly timeZone: string
}

export function atomFeed(row: PageRow, entries: readonly WholeIncident[]): string {
  const page = feedPage(row)
  const newest = entries[0]?.incident.updated ?? row.updated
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xml:lang="en-US" xmlns="http://www.w3.org/2005/Atom">
  <id>tag:${escapeXml(page.host)},2005:/history</id>
  <link rel="alternate" type="text/html" href="${escapeXml(page.url)}"/>
  <link rel="self" type="application/atom+xml" href="${escapeXml(page.url)}/history.atom"/>
  <title>${escapeXml(titleOf(page))}</title>
  <updated>${seconds(newest)}</updated>
  <author><name>${escapeXml(page.name)}</name></author>
${entries.map((entry) => atomEntry(page, entry)).join('')}</feed>
`
}

/** The id stays the same over all updates, so that readers see a change and not another entry. */
function atomEntry(page: FeedPage, { incident, updates }: WholeIncident): string {
  return `  <entry>
    <id>tag:${escapeXml(page.host)},2005:Incident/${incident.id}</id>
    <published>${seconds(incident.created)}</published>
    <updated>${seconds(incident.updated)}</updated>
    <link rel="alternate" type="text/html" href="${escapeXml(linkOf(page, incident.id))}"/>
    <title>${escapeXml(incident.name)}</title>
    <content type="html">${escapeXml(contentOf(page, updates))}</content>
  </entry>
`
}

export function rssFeed(row: PageRow, entries: readonly WholeIncident[]): string {
  const page = feedPage(row)
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0">
  <channel>
    <title>${escapeXml(titleOf(page))}</title>
    <link>${escapeXml(page.url)}</link>
    <description>Status history</description>
${entries.map((entry) => rssItem(page, entry)).join('')}  </channel>
</rss>
`
}

function rssItem(page: FeedPage, { incident, updates }: WholeIncident): string {
  const link = escapeXml(linkOf(page, incident.id))
  return `    <item>
      <title>${escapeXml(incident.name)}</title>
      <description>${escapeXml(contentOf(page, updates))}</description>
      <pubDate>${new Date(incident.updated).toUTCString().replace('GMT', '+0000')}</pubDate>
      <link>${link}</link>
      <guid isPermaLink="true">${link}</guid>
    </item>
`
}

function feedPage({ name, url, timeZone }: PageRow): FeedPage {
  const address = url ?? ''
  return { name: name ?? 'Status', url: address, host: URL.parse(address)?.host ?? 'status.invalid', timeZone }
}

function titleOf({ name }: FeedPage): string {
  return `${name} Status - Incident History`
}

function linkOf({ url }: FeedPage, id: string): string {
  return `${url}/incidents/${id}`
}

/** HTML: a paragraph per step, newest first. */
function contentOf({ timeZone }: FeedPage, updates: readonly UpdateRow[]): string {
  const paragraphs = updates.map(({ displayAt, status, body }) =>
    h(
      'p',
      null,
      h('small', null, shortTime(displayAt, timeZone)),
      h('br', null),
      h('strong', null, stateName(status)),
      ' - ',
      ...richText(body),
    ),
  )
  return render(h(Fragment, null, ...paragraphs)).replaceAll('<br/>', '<br>')
}

/** Whole seconds in UTC. */
function seconds(instant: string): string {
  return `${instant.slice(0, 19)}Z`
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text of an XML document; characters that XML 1.0 cannot hold are left out. */
function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  const held = text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
  return held.replace(/[&<>"]/g, (character) => escapes[character]!)
}
