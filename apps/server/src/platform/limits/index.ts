/**
 * Every limit per address, account, user or socket, in one table: the code takes its numbers from here, and
 * `docs/limits.md` is written from it. Invariant: a setting changes numbers of this table and nothing else; it switches no
 * limit off.
 *
 * Known limitation: bounds of one request (rows, bytes, filters) and of the whole server are declared where they are
 * enforced.
 */
import {
  alertsMax,
  apiKeysMax,
  chatLimits,
  dayMs,
  hourMs,
  minuteMs,
  practiceAccountsMax,
  signalHooksMax,
} from '@fulcrum/domain';
import {
  burstFactor,
  ceiling,
  type Limit,
  type LimitSetting,
  limitSettings,
  rate,
  window,
  windowFromSetting,
} from './declarations.ts';

const identity = 'features/identity';
const realtime = 'protocols/realtime/limits.ts';

export const defaultLimits = {
  signInOfAccountFromAddress: window({
    what: 'Wrong passwords',
    per: 'account and address',
    file: `${identity}/sign-in.ts`,
    name: 'sign-in:account-from',
    attemptsMax: 10,
    windowMs: 15 * minuteMs,
  }),
  signInOfAccount: window({
    what: 'Wrong passwords, from everywhere',
    per: 'account',
    file: `${identity}/sign-in.ts`,
    name: 'sign-in:account',
    attemptsMax: 100,
    windowMs: 15 * minuteMs,
  }),
  signInsWaitingOfAddress: ceiling({
    what: 'Sign-ins and sign-ups that wait in the queue; one password is hashed at a time',
    per: 'address',
    file: `${identity}/address-queues.ts`,
    setting: 'SIGN_INS_WAITING_PER_ADDRESS',
    most: limitSettings.SIGN_INS_WAITING_PER_ADDRESS.byDefault,
  }),
  signInsWaitingOfAccountFromAddress: ceiling({
    what: 'Sign-ins among them',
    per: 'account and address',
    file: `${identity}/address-queues.ts`,
    most: 60,
  }),
  signUpFromAddress: window({
    what: 'Sign-ups, those that are refused for a taken name or email too',
    per: 'address',
    file: `${identity}/registration.ts`,
    name: 'sign-up:address',
    ...windowFromSetting('SIGNUPS_PER_ADDRESS_H'),
    windowMs: hourMs,
  }),
  refusedNameOfAccount: window({
    what: 'Usernames that a profile requested and another user has',
    per: 'account',
    file: `${identity}/profiles.ts`,
    name: 'refused-name:account',
    attemptsMax: 20,
    windowMs: hourMs,
  }),
  recoveryOfAccountFromAddress: window({
    what: 'Recovery mails',
    per: 'account and address',
    file: `${identity}/recovery.ts`,
    name: 'recovery:account-from',
    attemptsMax: 5,
    windowMs: hourMs,
  }),
  recoveryOfAccount: window({
    what: 'Recovery mails, from everywhere',
    per: 'account',
    file: `${identity}/recovery.ts`,
    name: 'recovery:account',
    attemptsMax: 20,
    windowMs: hourMs,
  }),
  recoveryFromAddress: window({
    what: 'Recovery mails, of all accounts',
    per: 'address',
    file: `${identity}/recovery.ts`,
    name: 'recovery:address',
    ...windowFromSetting('RECOVERIES_PER_ADDRESS_H'),
    windowMs: hourMs,
  }),
  /** Each one sends a mail to the old address; a correct one is not refunded. */
  emailChange: window({
    what: 'Changes of the own email',
    per: 'account',
    file: `${identity}/profiles.ts`,
    name: 'email-change:account',
    attemptsMax: 5,
    windowMs: hourMs,
  }),
  /** Counts correct ones, each of which sends a notice. */
  passwordSet: window({
    what: 'New passwords',
    per: 'account',
    file: `${identity}/password-changes.ts`,
    name: 'password-set:account',
    attemptsMax: 10,
    windowMs: hourMs,
  }),
  passwordChange: window({
    what: 'Wrong current passwords of a signed-in user',
    per: 'account',
    file: `${identity}/identity-proof.ts`,
    name: 'password-change:account',
    attemptsMax: 10,
    windowMs: 15 * minuteMs,
  }),
  contactOfAccount: window({
    what: 'Contact messages of a signed-in user, from any address',
    per: 'account',
    file: 'features/contact/submission.ts',
    name: 'contact:account',
    attemptsMax: 5,
    windowMs: hourMs,
  }),
  contactFromAddress: window({
    what: 'Contact messages of visitors who are not signed in',
    per: 'address',
    file: 'features/contact/submission.ts',
    name: 'contact:address',
    ...windowFromSetting('CONTACT_PER_ADDRESS_H'),
    windowMs: hourMs,
  }),
  contactFromAddressOfDay: window({
    what: 'The same, in a day',
    per: 'address',
    file: 'features/contact/submission.ts',
    name: 'contact:address-day',
    ...windowFromSetting('CONTACT_PER_ADDRESS_H', 10),
    windowMs: dayMs,
  }),
  messagesToClasses: window({
    what: 'Messages to classes',
    per: 'user',
    file: 'features/classes/messages.ts',
    name: 'class:message',
    attemptsMax: 20,
    windowMs: hourMs,
  }),
  resetOfAccount: window({
    what: 'Resets of the own account; each one costs a request for every position and order that it ends',
    per: 'account',
    file: 'features/trading/reset.ts',
    name: 'reset:account',
    attemptsMax: 6,
    windowMs: hourMs,
  }),
  openingsOfAccounts: window({
    what: 'Practice accounts opened',
    per: 'user',
    file: 'features/accounts/index.ts',
    name: 'open-account:user',
    attemptsMax: 20,
    windowMs: dayMs,
  }),
  assistantTexts: window({
    what: 'Answers of the assistant that a language model writes',
    per: 'user',
    file: 'features/assistant/index.ts',
    name: 'assistant:text',
    ...windowFromSetting('AI_ANSWERS_PER_USER_D'),
    windowMs: dayMs,
  }),
  apiKeysMade: window({
    what: 'API keys made',
    per: 'user',
    file: 'features/api-keys/procedures.ts',
    name: 'make-api-key:user',
    attemptsMax: 30,
    windowMs: dayMs,
  }),
  signalHooksMade: window({
    what: 'Addresses for signals made',
    per: 'user',
    file: 'features/signals/hooks.ts',
    name: 'make-signal-hook:user',
    attemptsMax: 30,
    windowMs: dayMs,
  }),
  uploadsOfUser: window({
    what: 'Uploads begun',
    per: 'user',
    file: 'features/files/limits.ts',
    name: 'uploads',
    attemptsMax: 60,
    windowMs: hourMs,
  }),
  requestsOfUser: rate({
    what: 'Requests to `/rest/v1`, `/storage/v1` and one’s own user; a write that commands carry out costs one a row',
    per: 'user',
    file: 'protocols/admission.ts',
    burst: 1_000,
    perSecond: 100,
  }),
  requestsOfAddress: rate({
    what: 'Requests without a session to them, refreshes, recovery links, requests for a mail, and refused credentials',
    per: 'address',
    file: 'protocols/admission.ts',
    setting: 'REQUESTS_PER_ADDRESS_S',
    burst: burstFactor * limitSettings.REQUESTS_PER_ADDRESS_S.byDefault,
    perSecond: limitSettings.REQUESTS_PER_ADDRESS_S.byDefault,
  }),
  weightOfKeys: rate({
    what: 'Weight of calls of `/fapi` with API keys (2400 a minute; `exchangeInfo` states it)',
    per: 'user',
    file: 'protocols/exchange/admission.ts',
    burst: 2_400,
    perSecond: 40,
  }),
  weightOfAddress: rate({
    what: 'Weight of calls of `/fapi` without an API key',
    per: 'address',
    file: 'protocols/exchange/admission.ts',
    burst: 24_000,
    perSecond: 400,
  }),
  ordersOfKeys: rate({
    what: 'Orders by `/fapi` (300 in 10 s, 1200 a minute)',
    per: 'user',
    file: 'protocols/exchange/admission.ts',
    burst: 300,
    perSecond: 20,
  }),
  messagesOfUser: window({
    what: 'Chat messages, in any stretch of that length',
    per: 'user',
    file: 'features/support/messages.ts',
    name: 'messages',
    attemptsMax: chatLimits.paceMessages,
    windowMs: chatLimits.paceMs,
  }),
  toolCallsOfKey: rate({
    what: 'Calls of tools at `/mcp`; the requests to `/rest/v1` that they make count there as well',
    per: 'API key',
    file: 'protocols/mcp/index.ts',
    burst: 120,
    perSecond: 2,
  }),
  commandsWaitingOfUser: ceiling({
    what: 'Trading commands of all accounts that wait for the engine',
    per: 'user',
    file: 'features/trading/engine/limits.ts',
    most: 1_000,
  }),
  practiceAccountsOfUser: ceiling({
    what: 'Practice accounts that are not archived',
    per: 'user',
    file: 'features/accounts/index.ts',
    most: practiceAccountsMax,
  }),
  apiKeysOfAccount: ceiling({
    what: 'API keys that are neither revoked nor expired',
    per: 'account',
    file: 'features/api-keys/procedures.ts',
    most: apiKeysMax,
  }),
  archivedAccountsOfUser: ceiling({
    what: 'Practice accounts, archived ones too',
    per: 'user',
    file: 'features/accounts/index.ts',
    most: 200,
  }),
  alertsOfUser: ceiling({
    what: 'Alerts of all accounts, in any state',
    per: 'user',
    file: 'features/alerts/index.ts',
    most: alertsMax,
  }),
  signalHooksOfAccount: ceiling({
    what: 'Addresses for signals that are not revoked',
    per: 'account',
    file: 'features/signals/hooks.ts',
    most: signalHooksMax,
  }),
  /** TradingView allows an alert 15 times in three minutes, and several alerts may share an address. */
  signalsOfHook: rate({
    what: 'Signals from outside',
    per: 'hook',
    file: 'features/signals/index.ts',
    burst: 30,
    perSecond: 1,
  }),
  signalsOfAccount: ceiling({
    what: 'Signals from outside that are retained, the latest; none for more than 30 days',
    per: 'account',
    file: 'features/signals/store.ts',
    most: 1_000,
  }),
  sessionsOfUser: ceiling({
    what: 'Sessions; the longest unused one ends for the next',
    per: 'user',
    file: `${identity}/sessions.ts`,
    most: 100,
  }),
  pushDevicesOfUser: ceiling({
    what: 'Devices that get push notifications',
    per: 'user',
    file: 'features/push/devices.ts',
    most: 10,
  }),
  uploadsAtOnceOfUser: ceiling({
    what: 'Uploads under way',
    per: 'user',
    file: 'features/files/limits.ts',
    most: 3,
  }),
  downloadsAtOnceOfUser: ceiling({
    what: 'Downloads under way',
    per: 'user',
    file: 'features/files/limits.ts',
    most: 12,
  }),
  socketsOfUser: ceiling({
    what: 'Live connections of a signed-in user, from any address',
    per: 'user',
    file: realtime,
    setting: 'SOCKETS_PER_USER',
    most: limitSettings.SOCKETS_PER_USER.byDefault,
  }),
  socketsOfAddress: ceiling({
    what: 'Live connections without a signed-in user so far',
    per: 'address',
    file: realtime,
    setting: 'SOCKETS_PER_ADDRESS',
    most: limitSettings.SOCKETS_PER_ADDRESS.byDefault,
  }),
  joinsOfUser: rate({
    what: 'Joins and broadcasts by HTTP of a signed-in user',
    per: 'user',
    file: realtime,
    burst: 200,
    perSecond: 20,
  }),
  connectionsOfAddress: rate({
    what: 'Live connections opened, and joins without a session; a tenth of SOCKETS_PER_ADDRESS a second, 20 at least',
    per: 'address',
    file: realtime,
    setting: 'SOCKETS_PER_ADDRESS',
    factor: 0.1,
    least: 20,
    burst: limitSettings.SOCKETS_PER_ADDRESS.byDefault,
    perSecond: limitSettings.SOCKETS_PER_ADDRESS.byDefault / 10,
  }),
  presencesOfUser: ceiling({
    what: 'Presences on a topic',
    per: 'user',
    file: realtime,
    most: 20,
  }),
  streamSocketsOfAddress: ceiling({
    what: 'Live connections of `/fapi`',
    per: 'address',
    file: 'protocols/exchange/streams/limits.ts',
    most: 300,
  }),
  streamsOfAddress: ceiling({
    what: 'Market streams of all live connections of `/fapi`',
    per: 'address',
    file: 'protocols/exchange/streams/limits.ts',
    most: 2_000,
  }),
  streamsOfSocket: ceiling({
    what: 'Market streams of a live connection of `/fapi`',
    per: 'socket',
    file: 'protocols/exchange/streams/limits.ts',
    most: 200,
  }),
  requestsOfStreamSocket: rate({
    what: 'Messages of a client of `/fapi`; more close the connection',
    per: 'socket',
    file: 'protocols/exchange/streams/limits.ts',
    burst: 300,
    perSecond: 20,
  }),
  channelsOfSocket: ceiling({ what: 'Channels', per: 'socket', file: realtime, most: 100 }),
  eventsOfSocket: rate({ what: 'Events', per: 'socket', file: realtime, burst: 30, perSecond: 10 }),
  refusalsOfSocket: rate({
    what: 'Events beyond that; more of them close the connection',
    per: 'socket',
    file: realtime,
    burst: 50,
    perSecond: 5,
  }),
} satisfies Record<string, Limit>;

export type Limits = typeof defaultLimits;

/** Returns the table with the numbers that the operator set. */
export function limitsWith(chosen: Partial<Readonly<Record<LimitSetting, number>>>): Limits {
  const set = <L extends Limit>(limit: L): L => {
    const figure = limit.setting && chosen[limit.setting];
    if (figure === undefined) return limit;
    const most = Math.max(limit.least ?? 1, figure * (limit.factor ?? 1));
    if (limit.kind === 'window') return { ...limit, attemptsMax: most };
    if (limit.kind === 'ceiling') return { ...limit, most };
    return { ...limit, perSecond: most, burst: burstFactor * most };
  };
  return Object.fromEntries(
    Object.entries(defaultLimits).map(([name, limit]) => [name, set(limit)]),
  ) as Limits;
}
