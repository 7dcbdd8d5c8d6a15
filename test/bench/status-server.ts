import { parentPort } from 'node:worker_threads'
import { longStory, storyNow } from '#test/queries/status/long-story.ts'
import { openStatusPage } from '#test/support/status-page.ts'

/** Serves a status page with ninety days behind it until it is terminated. */
const page = await openStatusPage({ now: storyNow })
await page.tell(longStory)
parentPort?.postMessage(await page.app.listen({ port: 0, host: '127.0.0.1' }))
