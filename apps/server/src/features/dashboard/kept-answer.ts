/**
 * An answer that is the same for everybody: computed once for all who ask together, kept for a while, and computed anew when
 * somebody asks after that. Invariant: a failure is told to those who waited for it and not kept.
 */
import type { Clock } from '../../platform/clock/index.ts';

export interface Computed<Answer> {
  readonly answer: Answer;
  readonly keptMs: number;
}

export function createKeptAnswer<Answer>(
  clock: Clock,
  compute: () => Promise<Computed<Answer>>,
): () => Promise<Answer> {
  let kept: { readonly answer: Answer; readonly at: number; readonly keptMs: number } | null = null;
  let computing: Promise<Answer> | null = null;

  async function computeAndKeep(): Promise<Answer> {
    const { answer, keptMs } = await compute();
    kept = { answer, at: clock.now(), keptMs };
    return answer;
  }

  return () => {
    // A clock that was set back must not make it last longer.
    if (kept && Math.abs(clock.now() - kept.at) < kept.keptMs) return Promise.resolve(kept.answer);
    computing ??= computeAndKeep().finally(() => {
      computing = null;
    });
    return computing;
  };
}
