import { readFileSync } from 'node:fs'
import { gitIdOf } from '#src/cli/git-id.ts'

/** Version of this release, as the changelog has it. */
export const releaseVersion: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** The commit of this code; undefined where the files do not say. */
export const gitId: string | undefined = gitIdOf()

/** Version of this code, as processes announce it to each other: `0.2.0+5b7e1478c1`. */
export const codeVersion: string = gitId === undefined ? releaseVersion : `${releaseVersion}+${gitId}`
