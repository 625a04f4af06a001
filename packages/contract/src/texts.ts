/**
 * The user's texts, to the letter of the specification (doc 1 §5, §8) and of decision A101. No zod here: the browser
 * imports this file. Figures are ungrouped with a dot in every locale.
 */
export const texts = {
  invalidLogin: 'Invalid login credentials',
  userNotFound: 'User not found',
  profileNotFound: 'User profile not found',
  loginFailed: 'An error occurred during login',
  registrationNoUser: 'Failed to create user',
  registrationFailed: 'An error occurred',
  emailTaken: 'This email is already registered.',
  usernameTaken: 'This username is taken.',
  authSessionMissing: 'Auth session missing!',
  fetchWalletFailed: 'Failed to fetch wallet',
  fetchTransactionsFailed: 'Failed to fetch transactions',
  fetchPositionsFailed: 'Failed to fetch positions',
  placeOrderFailed: 'Failed to place order',
  closePositionFailed: 'Failed to close position',
  fetchPriceFailed: 'Failed to fetch price',
  positionNotFound: 'Position not found',
  positionAlreadyClosed: 'This position is already closed.',
  priceStale: 'Price is stale. Trading resumes with the next price.',
  marketClosed: 'Market is closed.',
  amountTooSmall: 'Amount is too small.',
  sideInvalid: 'Side must be BUY or SELL.',
  leverageInvalid: 'Leverage must be a whole number from 1 to 125.',
  accountRestricted: 'Your account is restricted. Please contact support.',
  changedMeanwhile: 'Someone else changed this in the meantime.',
  imageRefused: 'Please choose a JPEG, PNG or WebP image of at most 10 MB.',
  notWhileActing: 'This is not possible while viewing as somebody else.',
  busy: 'The service is busy. Please try again shortly.',
  chartUnavailable: 'Chart temporarily unavailable',
  somethingWentWrong: 'Something went wrong',
  unexpectedError: 'An unexpected error occurred',
  insufficientBalance: (required: string, available: string) =>
    `Insufficient available balance. Required: ${required} USDT, Available: ${available} USDT`,
  priceMoved: (seen: string, market: string) =>
    `Price moved: you saw ${seen}, the market is at ${market}. Please try again.`,
  amountOutOfRange: (min: string, max: string, step: string) =>
    `Amount must be between ${min} and ${max} in steps of ${step}.`,
  noCurrentPrice: (symbol: string) => `No current price for ${symbol}.`,
  unknownSymbol: (symbol: string) => `Unknown symbol: ${symbol}`,
  tooManyAttempts: (seconds: number) => `Too many attempts. Please try again in ${seconds} seconds.`,
} as const;
