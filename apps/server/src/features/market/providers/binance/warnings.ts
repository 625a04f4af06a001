/**
 * Warnings about a provider's messages. A faulty provider repeats itself many times a second, so the log has one line a
 * minute of each kind, with the number of suppressed ones since the last.
 */
import { minuteMs } from '@fulcrum/domain';
import type { Clock } from '../../../../platform/clock/index.ts';
import type { Log } from '../../../../platform/log/index.ts';

const warnEveryMs = minuteMs;

/** `message` names the kind: a fixed text, whatever varies belongs into `details`. */
export type Warn = (message: string, details: object) => void;

export function createWarn(clock: Clock, log: Log): Warn {
  const kinds = new Map<string, { warnedAt: number; suppressed: number }>();
  return (message, details) => {
    const kind = kinds.get(message) ?? { warnedAt: -Infinity, suppressed: 0 };
    kinds.set(message, kind);
    const now = clock.now();
    if (now - kind.warnedAt < warnEveryMs) {
      kind.suppressed += 1;
      return;
    }
    log.warn({ ...details, ...(kind.suppressed > 0 && { suppressed: kind.suppressed }) }, message);
    kind.warnedAt = now;
    kind.suppressed = 0;
  };
}
