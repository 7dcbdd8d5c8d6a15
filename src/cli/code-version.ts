import { readFileSync } from 'node:fs'

/** Version of this code, as processes announce it to each other. */
export const codeVersion: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version
