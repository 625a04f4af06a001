/** The kinds of limits, and the settings by which operators choose some of their figures. */

export type Subject = 'address' | 'account' | 'account and address' | 'user' | 'API key' | 'socket' | 'hook';

interface LimitDeclaration {
  /** The counted event, as the documentation's table states it. */
  readonly what: string;
  readonly per: Subject;
  /** The file below `apps/server/src` that enforces it. */
  readonly file: string;
  /** The environment variable that sets its number. */
  readonly setting?: LimitSetting;
  /** The number as a multiple of the setting; by default the setting itself. */
  readonly factor?: number;
  /** The lower bound of the result. */
  readonly least?: number;
}

/** A number of events in a fixed window, counted in the database. `name` is part of the counter's key and never changes. */
export interface WindowLimit extends LimitDeclaration {
  readonly kind: 'window';
  readonly name: string;
  readonly attemptsMax: number;
  readonly windowMs: number;
}

/**
 * A token bucket in memory: `burst` at once, `perSecond` on average. A setting is the rate; the burst is ten times that.
 */
export interface RateLimit extends LimitDeclaration {
  readonly kind: 'rate';
  readonly burst: number;
  readonly perSecond: number;
}

/** A number of concurrent uses. */
interface Ceiling extends LimitDeclaration {
  readonly kind: 'ceiling';
  readonly most: number;
}

export type Limit = WindowLimit | RateLimit | Ceiling;

/** How many users behind one address the defaults fit. */
export const usersByDefault = 500;
/** A number that grows with the users behind an address, and is at least `least`. */
const perUser = (meaning: string, figure: number, least = 1) => ({
  meaning,
  perUser: figure,
  least,
  byDefault: Math.round(usersByDefault * figure),
});

/** The settings of limits, with their defaults. */
export const limitSettings = {
  SIGNUPS_PER_ADDRESS_H: perUser('Sign-ups of one address in an hour.', 2),
  RECOVERIES_PER_ADDRESS_H: perUser('Requests for a recovery mail of one address in an hour.', 1),
  CONTACT_PER_ADDRESS_H: perUser(
    'Contact messages of one address in an hour, from visitors who are not signed in; ten times as many in a day.',
    0.1,
    5,
  ),
  SIGN_INS_WAITING_PER_ADDRESS: perUser(
    'Sign-ins and sign-ups of one address that may wait; one password of an address is hashed at a time.',
    1,
  ),
  REQUESTS_PER_ADDRESS_S: perUser(
    'Requests a second of one address without a session, in the long run; ten times as many at once.',
    0.3,
    50,
  ),
  SOCKETS_PER_ADDRESS: perUser('Open live connections of one address without a signed-in user.', 2),
  AI_ANSWERS_PER_USER_D: {
    meaning: 'Answers of the assistant that the language model of AI_URL writes for one user in a day.',
    perUser: 0,
    least: 60,
    byDefault: 60,
  },
  SOCKETS_PER_USER: {
    meaning: 'Open live connections of one signed-in user.',
    perUser: 0,
    least: 50,
    byDefault: 50,
  },
} as const satisfies Record<
  string,
  {
    readonly meaning: string;
    readonly perUser: number;
    readonly least: number;
    readonly byDefault: number;
  }
>;
export type LimitSetting = keyof typeof limitSettings;

export const burstFactor = 10;

export const window = (limit: Omit<WindowLimit, 'kind'>): WindowLimit => ({ kind: 'window', ...limit });
export const rate = (limit: Omit<RateLimit, 'kind'>): RateLimit => ({ kind: 'rate', ...limit });
export const ceiling = (limit: Omit<Ceiling, 'kind'>): Ceiling => ({ kind: 'ceiling', ...limit });

/** The default and the name of a window's setting. */
export const windowFromSetting = (setting: LimitSetting, factor = 1) => ({
  setting,
  factor,
  attemptsMax: limitSettings[setting].byDefault * factor,
});
