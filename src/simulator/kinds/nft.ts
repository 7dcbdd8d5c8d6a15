import { nftChanged } from '#src/simulator/changes.ts'
import { accountId, tokenId, wrapped } from '#src/simulator/ids.ts'
import { associationOf, handOver, receiverOf, supplied } from '#src/simulator/kinds/holding.ts'
import type { Token } from '#src/simulator/ledger-state.ts'
import type { Kind, Submission } from '#src/simulator/submission.ts'
import type { World } from '#src/simulator/world.ts'

const nftsMost = 200
const nobody = 0

const collection = (token: Token) => token.nft && !token.paused

export const nftMint: Kind = (world) => {
  const token = world.token(collection)
  return token && mintOf(world, token)
}

export function mintOf(world: World, token: Token): Submission {
  const count = world.prng.between(1, 5)
  const metadata = Array.from({ length: count }, () => world.prng.bytes(24))
  const body = { tokenMint: { token: tokenId(token.num), metadata } }
  const result = world.failure('INVALID_SIGNATURE')
  if (result) return { body, payer: token.treasury, result }
  const serialNumbers = metadata.map(() => token.nextSerial++)
  token.nfts.push(...serialNumbers.map((serial) => ({ serial, owner: token.treasury, spender: null })))
  token.nfts.splice(0, Math.max(0, token.nfts.length - nftsMost))
  token.supply += count
  handOver(token, nobody, token.treasury, count)
  return {
    body,
    payer: token.treasury,
    fee: 16_666_667 * count,
    receipt: { serialNumbers, newTotalSupply: token.supply },
    tokenMovements: [
      { token: token.num, nfts: serialNumbers.map((serial) => ({ serial, sender: nobody, receiver: token.treasury })) },
    ],
    changes: [
      supplied(token),
      ...serialNumbers.map((serial, index) =>
        nftChanged(token.num, serial, { metadata: Buffer.from(metadata[index]!).toString('hex') }, true),
      ),
    ],
  }
}

/** One or two NFTs change hands, against hbar half of the time; an approved spender may be the one who submits. */
export const nftTransfer: Kind = (world) => {
  const token = world.token((candidate) => collection(candidate) && candidate.nfts.length > 0)
  const nft = world.some(token?.nfts ?? [])
  if (!token || !nft) return undefined
  const sender = nft.owner
  const spender = nft.spender
  const receiver = receiverOf(world, token, sender, spender ?? sender)
  if (receiver === undefined) return undefined
  const price = world.prng.chance(0.5) && world.spendable(receiver) > 0 ? world.amountFrom(receiver) : 0
  const entry = { senderAccountID: accountId(sender), receiverAccountID: accountId(receiver), serialNumber: nft.serial }
  const nftTransfers = [{ ...entry, ...(spender === null ? {} : { isApproval: true }) }]
  const paid = [
    { accountID: accountId(receiver), amount: -price },
    { accountID: accountId(sender), amount: price },
  ]
  const body = {
    cryptoTransfer: {
      ...(price > 0 ? { transfers: { accountAmounts: paid } } : {}),
      tokenTransfers: [{ token: tokenId(token.num), nftTransfers }],
    },
  }
  const payer = spender ?? sender
  const result = world.failure('INVALID_NFT_ID', 'SPENDER_DOES_NOT_HAVE_ALLOWANCE', 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT')
  if (result) return { body, payer, result }
  const association = associationOf(world, token, receiver)
  handOver(token, sender, receiver, 1)
  nft.owner = receiver
  nft.spender = null
  return {
    body,
    payer,
    signers: price > 0 ? [receiver] : [],
    movements:
      price > 0
        ? [
            [receiver, -price],
            [sender, price],
          ]
        : [],
    tokenMovements: [{ token: token.num, nfts: [{ serial: nft.serial, sender, receiver }] }],
    record: association.record,
    changes: association.changes,
  }
}

export const nftBurn: Kind = (world) => {
  const token = world.token(
    (candidate) => collection(candidate) && candidate.nfts.some(({ owner }) => owner === candidate.treasury),
  )
  const nft = token?.nfts.find(({ owner }) => owner === token.treasury)
  if (!token || !nft) return undefined
  token.nfts = token.nfts.filter((other) => other !== nft)
  token.supply -= 1
  handOver(token, token.treasury, nobody, 1)
  return {
    body: { tokenBurn: { token: tokenId(token.num), serialNumbers: [nft.serial] } },
    payer: token.treasury,
    receipt: { newTotalSupply: token.supply },
    tokenMovements: [{ token: token.num, nfts: [{ serial: nft.serial, sender: token.treasury, receiver: nobody }] }],
    changes: [supplied(token)],
  }
}

export const nftWipe: Kind = (world) => {
  const token = world.token(
    (candidate) => collection(candidate) && candidate.nfts.some(({ owner }) => owner !== candidate.treasury),
  )
  const nft = token?.nfts.find(({ owner }) => owner !== token.treasury)
  if (!token || !nft) return undefined
  token.nfts = token.nfts.filter((other) => other !== nft)
  token.supply -= 1
  handOver(token, nft.owner, nobody, 1)
  return {
    body: { tokenWipe: { token: tokenId(token.num), account: accountId(nft.owner), serialNumbers: [nft.serial] } },
    payer: token.treasury,
    receipt: { newTotalSupply: token.supply },
    tokenMovements: [{ token: token.num, nfts: [{ serial: nft.serial, sender: nft.owner, receiver: nobody }] }],
    changes: [supplied(token)],
  }
}

export const tokenUpdateNfts: Kind = (world) => {
  const token = world.token((candidate) => collection(candidate) && candidate.nfts.length > 0)
  if (!token) return undefined
  const serialNumbers = token.nfts.slice(0, 3).map(({ serial }) => serial)
  const metadata = world.prng.bytes(20)
  const body = { tokenUpdateNfts: { token: tokenId(token.num), serialNumbers, metadata: wrapped(metadata) } }
  const result = world.failure('INVALID_SIGNATURE')
  const text = Buffer.from(metadata).toString('hex')
  return {
    body,
    payer: token.treasury,
    changes: serialNumbers.map((serial) => nftChanged(token.num, serial, { metadata: text })),
    ...(result ? { result } : {}),
  }
}
