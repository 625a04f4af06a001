/** When the latest frame of prices came, of whichever topic: who marks positions leaves them alone while prices flow. */
let latestAt = Number.NEGATIVE_INFINITY;

/** `at` in ms since the epoch. */
export const noteFrame = (at: number): void => {
  latestAt = at;
};

/** ms since the epoch; -Infinity before the first. */
export const lastFrameAt = (): number => latestAt;

let followers = 0;
let followedSince = 0;

/** A stream begins (`at`, ms since the epoch) to follow prices, or has ended to (null). */
export function noteFollowing(at: number | null): void {
  if (at !== null && followers === 0) followedSince = at;
  followers += at === null ? -1 : 1;
}

let halted = false;

/** What the latest frame of all prices says of trading; nobody knows while none come. */
export const noteHalt = (isHalted: boolean): void => {
  halted = isHalted;
};

/** Whether trading is halted, as far as this page has heard. */
export const isTradingHalted = (): boolean => halted;

/** Since when prices that somebody follows have not come; ms since the epoch, null while nobody does. */
export const silentSince = (): number | null => (followers > 0 ? Math.max(latestAt, followedSince) : null);
