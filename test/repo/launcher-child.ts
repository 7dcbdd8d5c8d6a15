// Started by launcher.int.test.ts: says its process id, then waits until it is told to stop.
const timer = setInterval(() => undefined, 1_000)
process.on('SIGTERM', () => {
  clearInterval(timer)
  process.exit(7)
})
console.log(`pid ${process.pid}`)
