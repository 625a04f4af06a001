/** The keys that a user chose for trading actions, as they are stored. Pure. */

/** By the id of an action: a letter, with or without Shift, or a sign. */
export type OwnKeys = Readonly<Record<string, string>>;

const pattern = /^(?:(?:Shift\+)?[A-Z]|[!-/:-@[-`{-~])$/;
const ownKeysMax = 40;

/** Whether it can be chosen as a key. */
export const isOwnKey = (stroke: unknown): stroke is string =>
  typeof stroke === 'string' && pattern.test(stroke);

/** What was stored, without whatever is no key. */
export function readOwnKeys(stored: unknown): OwnKeys {
  if (typeof stored !== 'object' || stored === null) return {};
  const entries = Object.entries(stored).filter(([, stroke]) => isOwnKey(stroke));
  return Object.fromEntries(entries.slice(0, ownKeysMax));
}
