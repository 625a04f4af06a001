/** Polls for an asynchronous result. */
import { vi } from 'vitest';

/** Until `probe` throws no more; fails as it did the last time. The limit is for what never comes, on a machine of any speed. */
export const eventually = <Result>(probe: () => Result | Promise<Result>, interval = 50): Promise<Result> =>
  vi.waitFor(probe, { timeout: 150_000, interval });
