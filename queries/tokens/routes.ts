import { accountTokensRoute } from '#queries/tokens/account-tokens-route.ts'
import { tokenBalancesRoute } from '#queries/tokens/balances-route.ts'
import { tokenDetailRoute } from '#queries/tokens/detail-route.ts'
import { holderCountRoute } from '#queries/tokens/holder-count-route.ts'
import { tokenListRoute } from '#queries/tokens/list-route.ts'

export const tokenRoutes = [tokenListRoute, tokenDetailRoute, tokenBalancesRoute, holderCountRoute, accountTokensRoute]
