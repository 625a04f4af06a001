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

export interface MessagePace {
  /** Takes a place and returns what gives it back. @throws TooManyAttempts */
  take(userId: string): () => void;
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
        throw new TooManyAttempts(Math.max(1, Math.ceil((oldest + withinMs - at) / 1000)));
      }
      people.delete(userId);
      if (people.size >= peopleMax) {
        const [longest] = people.keys();
        if (longest !== undefined) people.delete(longest);
      }
      people.set(userId, [...recent, at]);
      return () => {
        const taken = people.get(userId) ?? [];
        const place = taken.lastIndexOf(at);
        if (place >= 0) people.set(userId, taken.toSpliced(place, 1));
      };
    },
  };
}
