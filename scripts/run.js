// Runs a program of this checkout on Node 24: node scripts/run.js <file> [arguments]
import { join } from 'node:path'
import { root } from './install.js'
import { runOnNode24 } from './launch.js'

const [file, ...rest] = process.argv.slice(2)
await runOnNode24([join(root, file), ...rest])
