import { type StageName, type StageOptions, stages } from '#test/bench/stages.ts'

// A stage in a process of its own, so that its peak memory is its own: stage.ts <name> <options as JSON>
const [name, options] = process.argv.slice(2) as [StageName, string]
const result = await stages[name](JSON.parse(options) as StageOptions)
const cpu = process.cpuUsage()
const report = {
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
  peakMiB: Math.round(process.resourceUsage().maxRSS / 1024),
  ...result,
}
process.stdout.write(`${JSON.stringify(report)}\n`)
