// The program behind `npm start` and the bin.
import { createProgram } from '#src/cli/program.ts'

// A terminal or pipe that has gone must not keep the stores from being closed in order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

await createProgram().parseAsync()
