/**
 * The request budget of the quote provider: one token bucket, and the effect of answers on it. A refusal stops all
 * requests for a minute, each further one for twice as long, up to a quarter of an hour; then a single request probes
 * the provider. A provider that does not answer at all gets one request in ten seconds until it answers.
 * Invariants: no more requests than the rate allows, retries and bars included; during a refusal, one at a time.
 */
import { minuteMs } from '@fulcrum/domain';
import type { Clock } from '../../../../platform/clock/index.ts';
import { TokenBucket } from '../../../../platform/rate-limit/token-bucket.ts';
import type { ChartFailure } from './chart-error.ts';

/** The right to one request; call `end` with its outcome. */
interface Permit {
  end(outcome: 'answered' | ChartFailure): void;
}

/** After a pause so many may go at once: a probe of each market at the start. */
const burst = 4;
/** A slow provider must not collect requests without end. */
const underWayMax = 32;
const refusalMs = minuteMs;
const refusalMsMax = 15 * minuteMs;
/** Failures in a row, more than the retries of two symbols, after which it counts as unreachable. */
const failuresMax = 10;
const unreachableEveryMs = 10_000;

export type Budget = ReturnType<typeof createBudget>;

export function createBudget({ perS, clock }: { readonly perS: number; readonly clock: Clock }) {
  const tokens = new TokenBucket({ burst: Math.max(burst, perS), perSecond: perS }, clock.now());
  let underWay = 0;
  /** Refusals since the last proper answer. */
  let refusals = 0;
  let refusedUntil = 0;
  let failures = 0;
  let failedAt = 0;

  function recordRefusal(now: number): void {
    // Answers to requests from before the first refusal report that refusal again.
    if (now < refusedUntil) return;
    refusedUntil = now + Math.min(refusalMs * 2 ** refusals, refusalMsMax);
    refusals += 1;
  }

  /** Whether it has stopped answering. */
  const isUnreachable = (): boolean => failures >= failuresMax;

  return {
    /** ms until a request may be sent: 0 is now; null: when one that is under way has ended. */
    waitMs(): number | null {
      const now = clock.now();
      if (underWay >= underWayMax) return null;
      if (refusals > 0) {
        if (now < refusedUntil) return Math.min(refusedUntil - now, refusalMsMax);
        if (underWay > 0) return null;
      }
      if (isUnreachable()) {
        if (underWay > 0) return null;
        // A clock that was set back puts it off no further.
        failedAt = Math.min(failedAt, now);
        if (now < failedAt + unreachableEveryMs) return failedAt + unreachableEveryMs - now;
      }
      return Math.ceil(tokens.waitS(now) * 1000);
    },
    /** Only when `waitMs` is 0. */
    take(): Permit {
      tokens.owe(clock.now(), 1);
      underWay += 1;
      const sentDuringRefusal = refusals > 0;
      let ended = false;
      return {
        end(outcome) {
          if (ended) return;
          ended = true;
          underWay -= 1;
          const now = clock.now();
          if (outcome === 'unreachable') {
            failures += 1;
            failedAt = now;
            // The probe ended without a result.
            if (refusals > 0 && now >= refusedUntil) refusedUntil = now + refusalMs;
            return;
          }
          failures = 0;
          if (outcome === 'refused') recordRefusal(now);
          else if (sentDuringRefusal) refusals = 0;
        },
      };
    },
    /** ms since the epoch until which the provider refuses; null when it does not. */
    refusedUntil: (): number | null => (refusals > 0 ? refusedUntil : null),
    isUnreachable,
  };
}
