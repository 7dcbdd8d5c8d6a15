import type { IncidentRow, PageRow, UpdateRow } from '#projections/status/schema.ts'
import { readWhole, type WholeIncident } from '#queries/status/find-incidents.ts'
import type { StatusContext } from '#queries/status/reads.ts'
import { stateName } from '#queries/status/state-names.ts'
import { escapeHtml } from '#src/domain/status/rich-text.ts'
import { shortTime } from '#src/domain/status/zoned-time.ts'

interface FeedPage {
  readonly name: string
  readonly url: string
  readonly host: string
  readonly timeZone: string
}

/** How a feed is written around its entries, and each of these. */
export interface FeedForm {
  begin(page: FeedPage, newest: string): string
  entry(page: FeedPage, whole: WholeIncident): string
  readonly end: string
}

const feedBytesMax = 1 << 20
/** Of the texts of one entry. */
const entryCharactersMax = 40_000

/** A feed of incidents and maintenances, newest change first, as many as there is room for. */
export async function feedOf(
  { begin, entry, end }: FeedForm,
  context: StatusContext,
  row: PageRow,
  incidents: readonly IncidentRow[],
): Promise<string> {
  const page = feedPage(row)
  const texts = [begin(page, incidents[0]?.updated ?? row.updated)]
  let bytes = 0
  for (const incident of incidents) {
    await context.pause()
    const text = entry(page, await readWhole(context, incident, entryCharactersMax))
    bytes += Buffer.byteLength(text)
    if (bytes > feedBytesMax) break
    texts.push(text)
  }
  return [...texts, end].join('')
}

/** The id stays the same over all updates, so that readers see a change and not another entry. */
export const atomFeed: FeedForm = {
  begin: (page, newest) => `<?xml version="1.0" encoding="UTF-8"?>
<feed xml:lang="en-US" xmlns="http://www.w3.org/2005/Atom">
  <id>tag:${escapeXml(page.host)},2005:/history</id>
  <link rel="alternate" type="text/html" href="${escapeXml(page.url)}"/>
  <link rel="self" type="application/atom+xml" href="${escapeXml(page.url)}/history.atom"/>
  <title>${escapeXml(titleOf(page))}</title>
  <updated>${seconds(newest)}</updated>
  <author><name>${escapeXml(page.name)}</name></author>
`,
  entry: (page, whole) => `  <entry>
    <id>tag:${escapeXml(page.host)},2005:Incident/${whole.incident.id}</id>
    <published>${seconds(whole.incident.created)}</published>
    <updated>${seconds(whole.incident.updated)}</updated>
    <link rel="alternate" type="text/html" href="${escapeXml(linkOf(page, whole.incident.id))}"/>
    <title>${escapeXml(whole.incident.name)}</title>
    <content type="html">${escapeXml(contentOf(page, whole))}</content>
  </entry>
`,
  end: '</feed>\n',
}

export const rssFeed: FeedForm = {
  begin: (page) => `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0">
  <channel>
    <title>${escapeXml(titleOf(page))}</title>
    <link>${escapeXml(page.url)}</link>
    <description>Status history</description>
`,
  entry: (page, whole) => {
    const link = escapeXml(linkOf(page, whole.incident.id))
    return `    <item>
      <title>${escapeXml(whole.incident.name)}</title>
      <description>${escapeXml(contentOf(page, whole))}</description>
      <pubDate>${new Date(whole.incident.updated).toUTCString().replace('GMT', '+0000')}</pubDate>
      <link>${link}</link>
      <guid isPermaLink="true">${link}</guid>
    </item>
`
  },
  end: '  </channel>\n</rss>\n',
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

/** HTML: a paragraph per step, newest first, and where the others are. */
function contentOf(page: FeedPage, { incident, updates, older }: WholeIncident): string {
  const paragraphs = updates.map((update) => paragraphOf(page, update))
  const more = `${linkOf(page, incident.id)}/from/${older?.id}`
  const link = older === undefined ? '' : `<p><a href="${escapeHtml(more)}">Earlier updates</a></p>`
  return paragraphs.join('') + link
}

function paragraphOf({ timeZone }: FeedPage, { displayAt, status, html }: UpdateRow): string {
  const time = escapeHtml(shortTime(displayAt, timeZone))
  return `<p><small>${time}</small><br><strong>${escapeHtml(stateName(status))}</strong> - ${html}</p>`
}

/** Whole seconds in UTC. */
function seconds(instant: string): string {
  return `${instant.slice(0, 19)}Z`
}

/** Text of an XML document; characters that XML 1.0 cannot hold, which earlier releases took, are left out. */
function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  return escapeHtml(text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''))
}
