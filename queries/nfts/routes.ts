import { accountNftsRoute } from '#queries/nfts/account-route.ts'
import { nftAllowancesRoute } from '#queries/nfts/allowances-route.ts'
import { nftTransactionsRoute } from '#queries/nfts/history-route.ts'
import { nftRoute, tokenNftsRoute } from '#queries/nfts/token-routes.ts'

export const nftRoutes = [accountNftsRoute, tokenNftsRoute, nftRoute, nftTransactionsRoute, nftAllowancesRoute]
