import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repositoryRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Downloads and builds of the services; git ignores it, and removing it costs a new download only. */
export const cacheFolder = join(repositoryRoot, '.cache', 'services')

/** What `services up` left running: addresses, processes and folders. */
export const stateFile = join(repositoryRoot, '.cache', 'services.json')
