/**
 * How fast one person may write: so many messages in any stretch of so many milliseconds, over all of their conversations
 * and devices. Exact also for messages that are written at the same time, for a message takes its place before it is
 * stored and gives it back when it was none.
 *
 * Known limitation: in memory, so a restart lets everybody begin anew; beyond `peopleMax` the oldest are forgotten.
 */
import { TooManyAttempts } from '../accounts/index.ts';

const peopleMax = 20_000;

export interface MessagePaceLimit {
  readonly messages: number;
  readonly withinMs: number;
}

/** What a message may take before it is stored: a place, given back when it was none, or none for now. */
export type PacePlace =
  | { readonly kind: 'taken'; readonly giveBack: () => void }
  | { readonly kind: 'refused'; readonly refusal: TooManyAttempts };

export interface MessagePace {
  take(userId: string): PacePlace;
}

export function createMessagePace({ messages, withinMs }: MessagePaceLimit, now: () => number): MessagePace {
  /** When each of the last messages was written; who wrote last comes last. */
  const people = new Map<string, readonly number[]>();
  return {
    take(userId) {
      const at = now();
      const recent = (people.get(userId) ?? []).filter((taken) => taken > at - withinMs && taken <= at);
      const [oldest] = recent;
      if (oldest !== undefined && recent.length >= messages) {
        const retryAfterS = Math.max(1, Math.ceil((oldest + withinMs - at) / 1000));
        return { kind: 'refused', refusal: new TooManyAttempts(retryAfterS) };
      }
      people.delete(userId);
      if (people.size >= peopleMax) {
        const [longest] = people.keys();
        if (longest !== undefined) people.delete(longest);
      }
      people.set(userId, [...recent, at]);
      const giveBack = () => {
        const taken = people.get(userId) ?? [];
        const place = taken.lastIndexOf(at);
        if (place >= 0) people.set(userId, taken.toSpliced(place, 1));
      };
      return { kind: 'taken', giveBack };
    },
  };
}
