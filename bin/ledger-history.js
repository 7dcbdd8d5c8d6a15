#!/usr/bin/env node
import { join } from 'node:path'
import { root, runOnNode24 } from '../scripts/launch.js'

runOnNode24([join(root, 'src', 'cli', 'main.ts'), ...process.argv.slice(2)])
