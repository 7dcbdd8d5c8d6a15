import { type ConfigTree, decimal, flag, integer, optionalText } from '#src/config/keys.ts'

/** How contracts are run: calls, estimates and traces. */
export const contractCallSettings = {
  contractCalls: {
    threads: integer({
      default: 2,
      min: 1,
      max: 64,
      description: 'Threads that run contracts, one call at a time each; divided among threads that answer requests',
    }),
    waitingMax: integer({
      default: 64,
      min: 0,
      max: 10_000,
      description: 'Calls that wait for one of these; further ones are answered with status 503',
    }),
    deadlineMs: integer({
      default: 10_000,
      min: 100,
      max: 600_000,
      unit: 'ms',
      description: 'A call that takes longer, waiting included, is given up with status 503',
    }),
    gasMax: integer({
      default: 15_000_000,
      min: 21_000,
      max: 1_000_000_000,
      description: 'Most gas of a call, and what it has unless it says',
    }),
    requestsPerSecond: integer({
      default: 500,
      min: 1,
      max: 1_000_000,
      description: 'Calls within a second; further ones are answered with status 429',
    }),
    gasPerSecond: integer({
      default: 7_500_000_000,
      min: 21_000,
      max: 1_000_000_000_000_000,
      description: 'Gas of calls within a second; what goes beyond is answered with status 429',
    }),
    gasGivenBackPercent: integer({
      default: 100,
      min: 0,
      max: 100,
      unit: '%',
      description: 'Share of the gas that a call did not use and that others may have',
    }),
    validatePayerBalance: flag({
      default: true,
      description: 'Whoever names a sender with a gas price or a value needs to have it',
    }),
    evmVersion: optionalText(
      { description: "Version of the network's EVM for all blocks, such as 0.67; that of the block unless given" },
      'version or nothing',
    ),
    stateOverrides: flag({
      default: true,
      description: 'Calls may say what state they find (`state_overrides`); 400 otherwise',
    }),
    simulations: flag({ default: true, description: 'Answer `POST /contracts/simulate`; 501 otherwise' }),
    traces: flag({
      default: true,
      description:
        'Answer `/contracts/results/{id}/opcodes`, `/contracts/results/{id}/prestate` and `POST /contracts/call/actions`; 501 otherwise',
    }),
    tracesPerSecond: decimal({
      default: 1,
      min: 0.01,
      max: 1_000,
      description: 'Such traces within a second; further ones are answered with status 429',
    }),
  },
} as const satisfies ConfigTree
