/** The lengths of time that the code shares, in ms. `scripts/lint/time.grit` refuses a second declaration. */
// biome-ignore lint/plugin: the one declaration
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const weekMs = 7 * dayMs;

/** The start of the UTC day of an instant, both in ms since the epoch. */
export const utcDayStart = (at: number): number => Math.floor(at / dayMs) * dayMs;
