/**
 * Module-level state of the price frames: when the latest one arrived, whether trading is halted, how a replay plays.
 * The mark price refresh skips its requests while frames arrive.
 */
import type { RecordedClock } from '@fulcrum/contract';

let latestAt = Number.NEGATIVE_INFINITY;

/** `at` in ms since the epoch. */
export const markFrameReceived = (at: number): void => {
  latestAt = at;
};

/** ms since the epoch; -Infinity before the first. */
export const getLastFrameAt = (): number => latestAt;

let followers = 0;
let followedSince = 0;

/** Records when a stream began to follow prices (`at`, ms since the epoch), or null when none follows them. */
export function updateFollowers(at: number | null): void {
  if (at !== null && followers === 0) followedSince = at;
  followers += at === null ? -1 : 1;
}

let halted = false;

/** Records the halt state of the latest frame of all prices; null while no frames arrive. */
export const setTradingHalted = (isHalted: boolean): void => {
  halted = isHalted;
};

/** Whether trading is halted, as far as this page knows. */
export const isTradingHalted = (): boolean => halted;

let replayClock: RecordedClock | null = null;

/** Records the replay of the latest frame of all prices; null when none plays or it is unknown. */
export const setReplayClock = (clock: RecordedClock | null): void => {
  replayClock = clock;
};

/** The state of the replay, as far as this page knows. */
export const getReplayClock = (): RecordedClock | null => replayClock;

/** Since when followed prices have not arrived; ms since the epoch, null while no prices are followed. */
export const getSilentSince = (): number | null => (followers > 0 ? Math.max(latestAt, followedSince) : null);
