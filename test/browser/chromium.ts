import { existsSync } from 'node:fs'

/** Where Debian and its relatives put the browser. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Path of a browser to test in: the one that LEDGER_TEST_CHROMIUM names, or an installed one; undefined where there is none. */
export const chromium: string | undefined = process.env['LEDGER_TEST_CHROMIUM'] ?? places.find(existsSync)

export const withoutChromium = 'skipped without Chromium: apt-get install chromium'
