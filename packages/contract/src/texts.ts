/**
 * The user's texts, to the letter of `docs/specification.md` and of decision A101. This file does not import zod,
 * because the browser imports it. Numbers in them do not depend on the locale: a decimal dot, no thousands separator.
 */
import { MAX_LEVERAGE, MIN_LEVERAGE } from '@fulcrum/domain';
import { publicTexts } from './public-texts.ts';

export const texts = {
  ...publicTexts,
  invalidLogin: 'Invalid login credentials',
  userNotFound: 'User not found',
  profileNotFound: 'User profile not found',
  loginFailed: 'An error occurred during login',
  registrationNoUser: 'Failed to create user',
  registrationFailed: 'An error occurred',
  emailTaken: 'This email is already registered.',
  usernameTaken: 'This username is taken.',
  checkYourEmail: 'Check Your Email',
  resetRequested: 'If an account exists with this email, you will receive password reset instructions.',
  resetFailed: 'Failed to send reset password email',
  updatePasswordFailed: 'Failed to update password',
  newPasswordTooShort: 'New password must be at least 6 characters long',
  newPasswordsDiffer: 'New passwords do not match',
  currentPasswordIncorrect: 'Current password is incorrect',
  updateProfileFailed: 'Failed to update profile',
  authUserMissing: 'Auth session or user missing',
  fetchWalletFailed: 'Failed to fetch wallet',
  fetchTransactionsFailed: 'Failed to fetch transactions',
  fetchPositionsFailed: 'Failed to fetch positions',
  fetchOrdersFailed: 'Failed to fetch orders',
  placeOrderFailed: 'Failed to place order',
  cancelOrderFailed: 'Failed to cancel order',
  closePositionFailed: 'Failed to close position',
  fetchPriceFailed: 'Failed to fetch price',
  positionNotFound: 'Position not found',
  positionAlreadyClosed: 'This position is already closed.',
  priceStale: 'Price is stale. Trading resumes with the next price.',
  priceDelayed: 'Price is delayed by its source. Trading resumes with a current one.',
  marketClosed: 'Market is closed.',
  closeAtReopen: 'Close at reopen',
  closesAtReopen: 'Closes at reopen',
  closeAtNextPrice: 'Close at next price',
  closesAtNextPrice: 'Closes at next price',
  amountTooSmall: 'Amount is too small.',
  leverageInvalid: `Leverage must be a whole number from ${MIN_LEVERAGE} to ${MAX_LEVERAGE}.`,
  accountRestricted: 'Your account is restricted. Please contact support.',
  accountArchived: 'This account is archived. It is read only.',
  changedMeanwhile: 'Someone else changed this in the meantime.',
  imageRefused: 'Please choose a JPEG, PNG or WebP image of at most 10 MB.',
  orderNotFound: 'Order not found',
  reasonRequired: 'Please give a reason.',
  notWhileImpersonating: 'This is not possible while impersonating a user.',
  busy: 'The service is busy. Please try again shortly.',
  insufficientBalance: (required: string, available: string) =>
    `Insufficient available balance. Required: ${required} USDT, Available: ${available} USDT`,
  priceMoved: (seen: string, market: string) =>
    `Price moved: you saw ${seen}, the market is at ${market}. Please try again.`,
  orderPriceInvalid: (min: string, max: string, tick: string) =>
    `Price must be between ${min} and ${max} in steps of ${tick}.`,
  triggerPriceInvalid: (min: string, max: string, tick: string) =>
    `Trigger price must be between ${min} and ${max} in steps of ${tick}.`,
  trailRateInvalid: 'The trailing distance must be between 0.1 % and 20 % in steps of 0.1 %.',
  stopReached: (mustBe: 'above' | 'below', market: string) =>
    `The stop price must be ${mustBe} the market price of ${market}.`,
  protectionInvalid: (which: 'Take profit' | 'Stop loss', min: string, max: string, tick: string) =>
    `${which} must be between ${min} and ${max} in steps of ${tick}.`,
  protectionSide: (which: 'Take profit' | 'Stop loss', mustBe: 'above' | 'below', reference: string) =>
    `${which} must be ${mustBe} ${reference}.`,
  stopLossBeyondLiquidation: (liquidation: string) =>
    `The stop loss would never trigger: the position is liquidated at ${liquidation} first.`,
  orderFinal: (status: string) => `This order is already ${status}.`,
  noCurrentPrice: (symbol: string) => `No current price for ${symbol}.`,
  invalidResponse: 'Invalid response format',
  // The trading journal; the figures are `journalLimits` of the domain, which a test compares.
  journalTitle: 'An entry needs a title of at most 200 characters.',
  journalContent: 'An entry needs a text of at most 20000 characters.',
  journalTags: 'An entry has at most 20 tags of 1 to 40 characters each.',
  journalPosition: 'An entry can be linked to a position of your own only.',
  journalFull: 'You have 10000 journal entries in all accounts. Export them and delete some first.',
  /** What the screens remember of a user (`user_settings`). */
  settingsTooLarge: 'These settings are too large to be stored. Remove a watchlist or some of its markets.',
  // The support chat (CHAT-36 … CHAT-38, A66); the figure is `chatLimits` of the domain, which a test compares.
  loadChatSessionFailed: 'Failed to load chat session. Please try again.',
  loadMessagesFailed: 'Failed to load messages. Please try again.',
  sendMessageFailed: 'Failed to send message. Please try again.',
  sessionClosed: 'This session was closed',
  cannedShortcut: "Use 1-24 lowercase letters, digits or hyphens. It can't start with a hyphen.",
  cannedContent: 'A reply needs a text of at most 2000 characters.',
  cannedTaken: 'You already have a reply with this shortcut.',
  cannedFull: 'You can store at most 100 replies. Delete one first.',
  noteContent: 'A note needs a text of at most 4000 characters.',
  notesFull: 'A conversation has at most 500 notes.',
  // Messages of visitors (CONT-12 to CONT-15, ERR-65).
  contactSent: 'Message Sent!',
  contactThanks: "Thank you for contacting us. We'll get back to you soon.",
  contactAnother: 'Send Another Message',
  contactFailed: 'Failed to submit form',
  contactNoMail:
    'This server sends no mail. Answer from your own mail program, then mark the message as replied.',
  // Identity checks (KYC-09, KYC-16, A63, A101).
  kycDocumentsMissing: 'Please upload all required documents',
  kycSubmitFailed: 'Failed to submit KYC verification',
  kycSubmitNew: 'Please submit new documents',
  kycDeclined: 'Your verification was declined. Please contact support.',
  // Pictures; the figures are those of the bucket, which a test compares.
  imageTooManyPixels:
    'This picture has more than 40 megapixels. Please make it smaller, or take it again at a lower resolution.',
  imageTooLong: 'This picture is more than 16,384 pixels wide or high. Please make it smaller.',
  // Changes of money by staff (ADMIN-64, ADMIN-73, ADMIN-83, ADMIN-84, ERR-59, ERR-62, ERR-63).
  updateFundsFailed: 'Failed to update funds. Please try again.',
  noWallets: 'No wallets found',
  unknownErrorOccurred: 'An unknown error occurred',
  noClosedPositions: 'No closed positions found',
  // Operations of admins.
  tradingHalted: 'Trading is halted. Nothing can be opened, closed or changed until it is resumed.',
  // Changes of users by staff (ADMIN-29 to ADMIN-60, ERR-51 to ERR-61).
  addUserFailed: 'Failed to add user',
  addUserError: (message: string) => `Error adding user: ${message}`,
  unknownError: 'Unknown error',
  updateUserFailed: 'Failed to update user',
  assignManagerFailed: 'Failed to assign manager',
  loadManagersFailed: 'Failed to load managers',
  deleteUserFailed: 'Failed to delete user. Please try again.',
  currentPasswordNeeded: 'Please enter your current password.',
  // The manager's page (MGR-18).
  managedUsersFailed: 'Failed to load managed users',
  // The list of users (ADMIN-31).
  loadUsersFailed: 'Failed to load users',
  // The comparison of the wallets with the ledger.
  reconcileUnderWay: 'The ledger is still being read. Please try again shortly.',
  updatePositionFailed: 'Failed to update position',
} as const;
