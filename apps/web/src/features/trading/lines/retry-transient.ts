/**
 * Sends a command again, unchanged, after its answer was lost. This is safe only for commands with a client id: the
 * server answers a repeat as it answered the first.
 */
import { RequestError } from '../../../shared/supabase/index.ts';

/** A longer wait would hide the failure from the user. */
const pausesMs = [500, 1_500, 4_000] as const;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** `send` must send the same each time. Rejects with the last attempt's error. */
export async function retryTransient<Answer>(
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
