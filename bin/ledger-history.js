#!/usr/bin/env node
import { join } from 'node:path'
import { root } from '../scripts/install.js'
import { runOnNode24 } from '../scripts/launch.js'

await runOnNode24([join(root, 'src', 'cli', 'main.ts'), ...process.argv.slice(2)])
