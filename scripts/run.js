// Runs a program of this checkout on Node 24: node scripts/run.js <file> [arguments]
import { join } from 'node:path'
import { root, runOnNode24 } from './launch.js'

const [file, ...rest] = process.argv.slice(2)
runOnNode24([join(root, file), ...rest])
