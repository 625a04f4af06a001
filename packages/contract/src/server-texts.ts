/**
 * The texts that only the server says, and with them all of the user's texts. The browser imports `texts.ts`: what it never says
 * itself is no part of its scripts.
 */
import type { LimitSetter } from '@fulcrum/domain';
import { texts as browserTexts } from './texts.ts';

/** `2026-11-28 14:00 UTC` */
const formatInstant = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const texts = {
  ...browserTexts,
  authSessionMissing: 'Auth session missing!',
  marketOpen: 'The market is open. Close the position now.',
  sideInvalid: 'Side must be BUY or SELL.',
  leverageCapped: (max: number) => `This account opens with at most ${max}x leverage.`,
  classNotBegun: (at: Date) => `Your class begins on ${formatInstant(at)}. Nothing can be opened before.`,
  classOver: (at: Date) =>
    `Your class ended on ${formatInstant(at)}. You can close positions, and open nothing any more.`,
  classEnded: (at: Date) => `The class ended on ${formatInstant(at)}. It takes no more members.`,
  symbolNotAllowed: (symbol: string, setBy: LimitSetter) => `Your ${setBy} does not trade ${symbol}.`,
  contestNotBegun: (at: Date) =>
    `Trading in this contest begins on ${formatInstant(at)}. Nothing can be opened before.`,
  contestOver: (at: Date) =>
    `This contest ended on ${formatInstant(at)}. What was open is closed at the last accepted prices.`,
  ownCoolDown: (until: Date) =>
    `Your own cool-down after a loss lasts until ${formatInstant(until)}. You can close positions, and open nothing before.`,
  ownTradesReached: (max: number, until: Date) =>
    `Your own limit of ${max} ${max === 1 ? 'trade' : 'trades'} a day is reached until ${formatInstant(until)}. You can close positions, and open nothing before.`,
  ownLossReached: (max: string, loss: string, until: Date) =>
    `Your own daily loss limit of ${max} USDT is reached until ${formatInstant(until)}: ${loss} USDT so far. You can close positions, and open nothing before.`,
  registrationShut: (
    of: { readonly registration_opens_at: Date; readonly registration_ends_at: Date },
    at: Date,
  ) =>
    at < of.registration_opens_at
      ? `Registration opens on ${formatInstant(of.registration_opens_at)}.`
      : `Registration ended on ${formatInstant(of.registration_ends_at)}.`,
  contestBegun: (name: string, endsAt: Date) =>
    `${name} has begun. Switch to its account to trade, until ${formatInstant(endsAt)}.`,
  contestWithdrawn: (name: string) =>
    `${name} was withdrawn before it began. Your account of it is archived.`,
  contestEnded: (name: string) => `${name} has ended. Its result is in Contests.`,
  contestForEntrantsOnly:
    'This account is in a contest: only its entrant trades in it, and staff change nothing.',
  challengeOpens: (at: Date) => `Attempts at this challenge can be started from ${formatInstant(at)} on.`,
  challengeNotBegun: (at: Date) =>
    `This challenge begins on ${formatInstant(at)}. Nothing can be opened before.`,
  challengeOver: (at: Date) =>
    `This challenge ended on ${formatInstant(at)}. Nothing can be opened any more.`,
  challengeForEntrantsOnly:
    'This account is in a challenge: only its owner trades in it, and staff change nothing.',
  challengeResetNotAllowed: 'An account of a challenge keeps its money and is not reset.',
  challengePassed: 'You passed this step of your challenge. The arithmetic is in Contests.',
  challengeFailed:
    'You did not pass this step of your challenge. The rule and its arithmetic are in Contests.',
  contestResetNotAllowed: 'An account of a contest keeps its money and is not reset.',
  apiKeyInvalid: 'This API key is not valid: it is unknown, was revoked or has expired.',
  apiKeyAddress: (address: string) =>
    `This API key does not work from ${address}. Make a key that lists this address.`,
  apiKeyRefused: 'An API key cannot do this. Sign in to do it.',
  apiKeyScope: (scope: string) =>
    `This API key has no ${scope} scope. Make a key with it in Account Settings, API keys.`,
  accountGone: 'This account is gone. Choose another one.',
  filesFull: 'There is no more space for your files. Please contact support.',
  orderTypeInvalid: (types: readonly string[]) =>
    `Type must be ${types.slice(0, -1).join(', ')} or ${types.at(-1)}.`,
  // Accounts with net positions (A113, A114).
  timeInForceInvalid:
    'Time in force must be GTC, IOC, FOK, GTX or GTD; only an order with a limit price can be GTX or GTD.',
  expiryInvalid: 'Choose an end at least 10 minutes and at most a year from now.',
  triggerReached: (mustBe: 'above' | 'below', market: string) =>
    `The trigger price must be ${mustBe} the market price of ${market}.`,
  conditionNotExpected: (type: string, field: string) => `A ${type} order has no ${field}.`,
  closeOrderExists: (symbol: string) =>
    `Another order closes the whole position in ${symbol} at such a price already. Cancel it first.`,
  orderNotFillable: (size: string) =>
    `The order book holds only ${size} within this price. Nothing was traded.`,
  orderWouldTake: (best: string) =>
    `This order is post-only and would trade at once, at ${best}. Choose a price further away.`,
  nothingToReduce: (symbol: string) =>
    `There is no position in ${symbol} for this reduce-only order to reduce.`,
  quoteChanged: 'Price moved: the quote that you saw is no longer the current one. Please try again.',
  noQuote: (symbol: string) =>
    `There is no order book of ${symbol} now. Please try again with its next price.`,
  positionTooLarge: (leverage: number, max: string) =>
    `A position in this market may be worth at most ${max} USDT at ${leverage}x. Choose a lower leverage or a smaller amount.`,
  leverageInUse: (symbol: string, leverage: number) =>
    `The leverage of ${symbol} is ${leverage}x while a position is open or an order waits. Raise it, or close and cancel first.`,
  marginAmountInvalid: 'Enter an amount of margin other than 0.',
  marginBeyondFree: (free: string) => `At most ${free} USDT of this margin can be taken out.`,
  netPositionFixed: 'A position of this account is the sum of its fills and cannot be edited.',
  quoteUnknown: (symbol: string) => `This is no quote of ${symbol}.`,
  notPerpetual: 'Only an account with perpetual rules can do this.',
  tradersOnly: 'This is possible for traders only.',
  fundsAmountInvalid:
    'Amount must be a number other than 0 with at most 8 decimals, at most 1000000000 USDT.',
  classResetNotAllowed: 'This account belongs to your class and is not reset.',
  resetNotAllowed: 'This server does not reset accounts.',
  cannotDelete: 'Admins and your own account cannot be deleted.',
  tooManyOpen: (what: 'positions' | 'orders', max: number) =>
    `At most ${max} ${what} can be open at a time. Close or cancel some first.`,
  fundsBeyondAvailable: (available: string) => `Only ${available} USDT are available.`,
  editValueInvalid: (field: string) => `${field} is not a valid value.`,
  editValueOutOfBounds: (field: string, min: string, max: string, step: string | null) =>
    `${field} must be between ${min} and ${max}${step === null ? '' : ` in steps of ${step}`}.`,
  editFieldOfClosed: (field: string) => `${field} can be changed on a closed position only.`,
  editExceedsAvailable: (required: string, available: string) =>
    `This change needs ${required} USDT, but only ${available} USDT are available.`,
  editLossBeyondMargin: (margin: string) => `The loss cannot exceed the margin of ${margin} USDT.`,
  editLiquidationPrice: (min: string, max: string) => `Liquidation price must be between ${min} and ${max}.`,
  fundsUnchanged: 'This account already has this balance.',
  restrictionUnchanged: (restricted: boolean) =>
    restricted ? 'This account is already restricted.' : 'This account is not restricted.',
  priceHeld: (symbol: string) => `The price of ${symbol} is held back. Please try again with its next price.`,
  noPriceHeld: (symbol: string) => `No price of ${symbol} is held back.`,
  otherPriceHeld: (symbol: string, price: string) =>
    `Another price of ${symbol} is held back by now: ${price}.`,
  clientIdUsed: 'This p_client_id was already used with different arguments.',
  // Prices of providers (FEED-36, FEED-47, FEED-64 to FEED-70).
  invalidPrice: (symbol: string, value: string) => `Invalid price received for ${symbol}: ${value}`,
  allProxiesFailed: 'Failed to fetch data: All proxies failed',
  unsupportedCommodity: (symbol: string) => `Unsupported commodity symbol: ${symbol}`,
  unsupportedIndex: (symbol: string) => `Unsupported index symbol: ${symbol}`,
  unsupportedMarketType: 'Unsupported market type',
  fetchPriceOfFailed: (symbol: string) => `Failed to fetch price for ${symbol}`,
  noPriceData: (symbol: string) => `No price data available for ${symbol}`,
  httpError: (status: number) => `HTTP error! status: ${status}`,
  notSimulated: (symbol: string) => `${symbol} is not simulated.`,
  notReplaying: 'No replay is running.',
  noSuchJump: 'The recording is not waiting at this jump.',
  unknownSymbol: (symbol: string) => `Unknown symbol: ${symbol}`,
  chatNotFound: 'Session not found',
  chatBlank: 'Please write a message.',
  chatTooLong: 'A message has at most 4000 characters.',
  chatReply: 'Support replied to your message.',
  chatPictureUnknown: 'This picture could not be attached. Please choose it again.',
  chatNotClosed: 'A session can be rated once it is closed.',
  chatRatingFinal: 'A rating can be changed for one day only.',
  contactStatusNew: 'The status of a new message is new.',
  contactNoAddress:
    'No mail can be sent to this address. Answer in another way, then mark the message as replied.',
  contactStatusFixed: (from: string, to: string) => `This message is ${from}. It cannot become ${to}.`,
  tooManyAttempts: (seconds: number) => `Too many attempts. Please try again in ${seconds} seconds.`,
  kycUnderReview: 'A verification is already under review.',
  kycVerified: 'Your identity is already verified.',
  kycSamePicture: 'Please upload three different pictures.',
  imageTooDetailed: 'This picture takes more than 10 MB when it is stored. Please make it smaller.',
  // Positions for staff.
  fileLinkOver: 'This link was already used or has expired. Please export again.',
  alreadyHalted: 'Trading is already halted.',
  notHalted: 'Trading is not halted.',
  ledgerViolated: (invariant: string) => `Trading stays halted: the ledger is inconsistent (${invariant}).`,
  ledgerNotVerified: 'Trading stays halted: the ledger could not be verified. Please try again.',
  haltedForGood:
    'Trading stays halted: another server writes to this database. Stop one of them and start this one again.',
} as const;
