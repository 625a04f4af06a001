/**
 * Caches a result that is the same for all users: concurrent calls share one computation, and a call after the lifetime
 * computes it again. Invariant: a failure rejects the waiting calls and is not cached.
 */
import type { Clock } from '../clock/index.ts';

interface ComputedAnswer<Answer> {
  readonly answer: Answer;
  readonly ttlMs: number;
}

export function memoizeWithTtl<Answer>(
  clock: Clock,
  compute: () => Promise<ComputedAnswer<Answer>>,
): () => Promise<Answer> {
  let cached: { readonly answer: Answer; readonly at: number; readonly ttlMs: number } | null = null;
  let computing: Promise<Answer> | null = null;

  async function computeAndCache(): Promise<Answer> {
    const { answer, ttlMs } = await compute();
    cached = { answer, at: clock.now(), ttlMs };
    return answer;
  }

  return () => {
    // A clock that was set back must not make it last longer.
    if (cached && Math.abs(clock.now() - cached.at) < cached.ttlMs) return Promise.resolve(cached.answer);
    computing ??= computeAndCache().finally(() => {
      computing = null;
    });
    return computing;
  };
}
