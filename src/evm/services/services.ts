import { accountService } from '#src/evm/services/account/account-service.ts'
import { exchangeRateService } from '#src/evm/services/exchange-rate.ts'
import { plainService } from '#src/evm/services/plain-service.ts'
import { pseudoRandomService } from '#src/evm/services/pseudo-random.ts'
import { scheduleService } from '#src/evm/services/schedule/schedule-service.ts'
import type { Service } from '#src/evm/services/service.ts'
import { tokenService } from '#src/evm/services/token/token-service.ts'

/** The contracts of the system by number. The second interface of the token service is off on the network. */
export const servicesByNumber: ReadonlyMap<bigint, Service> = new Map([
  [359n, tokenService],
  [360n, exchangeRateService],
  [361n, pseudoRandomService],
  [362n, accountService],
  [363n, scheduleService],
  [364n, plainService('second token service', new Map())],
])
