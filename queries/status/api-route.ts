/** What the endpoints of the public status API have in common. Unknown parameters are ignored: many send one against caches. */
export const apiRoute = {
  prefix: '/api/v2',
  tag: 'status',
  dialect: 'B',
  parameters: {},
  maxAge: 10,
  cacheExtensions: 'stale-while-revalidate=30, stale-if-error=86400',
  keepsLast: true,
} as const

/** The same of its pages and feeds. */
export const siteRoute = { ...apiRoute, prefix: '' } as const
