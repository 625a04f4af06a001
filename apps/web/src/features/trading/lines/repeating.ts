/**
 * A command whose answer was lost is sent again as it was. Safe for commands with a client id alone: the server answers a
 * repeat of one as it answered the first.
 */
import { RequestError } from '../../../shared/supabase/index.ts';

/** Longer, and the person would rather know. */
const pausesMs = [500, 1_500, 4_000] as const;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** `send` has to send the same each time. Rejects with what the last attempt was refused with. */
export async function sentAgain<Answer>(
  send: () => Promise<Answer>,
  pauses: readonly number[] = pausesMs,
): Promise<Answer> {
  for (const pause of pauses) {
    try {
      return await send();
    } catch (cause) {
      if (!(cause instanceof RequestError && cause.transient)) throw cause;
      await wait(pause);
    }
  }
  return send();
}
