/**
 * The periodic update of mark prices (A33): each beat asks the server to refresh the stored prices, unless a request is
 * under way or a frame of prices came since the last beat. It runs with the page, and asks only for somebody signed in who
 * can see the page. Under the stated rules (`RULES=as-specified`) frames do not keep it from asking.
 *
 * A request that fails is made again up to three times, after 1, 2 and 3 s (RULE-25); the beats in between pass (RULE-24).
 * Only logs its failures: a mark is marked again on read. This module is part of the entry, so it imports no client.
 */
import { log } from '../../../shared/log/log.ts';
import { useSession } from '../../../shared/session/index.ts';
import { answerOf } from '../../../shared/supabase/request.ts';
import { lastFrameAt } from './frames.ts';

export const beatEveryMs = 5_000;
const retriesMax = 3;
const retryAfterMs = 1_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** @throws the failure of the last try. */
async function refresh(ask: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await ask();
      return;
    } catch (cause) {
      if (attempt > retriesMax) throw cause;
      await sleep(retryAfterMs * attempt);
    }
  }
}

type BeatingPage = Pick<Window, 'addEventListener' | 'removeEventListener'> & {
  readonly document: Pick<Document, 'visibilityState'>;
};

/** Beats until the returned function is called; rests while the page is left (`pagehide`) and goes on if it returns. */
export function startMarkPriceBeat(page: BeatingPage): () => void {
  let isAsking = false;
  let timer: ReturnType<typeof setInterval> | undefined;

  const beat = () => {
    const session = useSession.getState();
    if (isAsking || session.status !== 'signed-in' || page.document.visibilityState === 'hidden') return;
    const { rest, config } = session.supabase;
    const pricesFlow = Date.now() - lastFrameAt() < beatEveryMs;
    if (pricesFlow && config.rules !== 'as-specified') return;
    isAsking = true;
    refresh(() => answerOf(rest.rpc('update_position_mark_prices')))
      .catch((cause: unknown) => log.warn('Mark prices could not be updated', cause))
      .finally(() => {
        isAsking = false;
      });
  };
  const start = () => {
    timer ??= setInterval(beat, beatEveryMs);
  };
  const rest = () => {
    clearInterval(timer);
    timer = undefined;
  };

  start();
  page.addEventListener('pagehide', rest);
  page.addEventListener('pageshow', start);
  return () => {
    rest();
    page.removeEventListener('pagehide', rest);
    page.removeEventListener('pageshow', start);
  };
}
