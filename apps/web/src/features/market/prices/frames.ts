/** When the latest frame of prices came, of whichever topic: who marks positions leaves them alone while prices flow. */
let latestAt = Number.NEGATIVE_INFINITY;

/** `at` in ms since the epoch. */
export const noteFrame = (at: number): void => {
  latestAt = at;
};

/** ms since the epoch; -Infinity before the first. */
export const lastFrameAt = (): number => latestAt;
