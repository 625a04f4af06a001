/**
 * The periodic update of mark prices (A33). Each interval requests the server to refresh the stored prices, unless a
 * request is in flight or a price frame arrived since the last interval. It runs with the page, for a signed-in user
 * who can see the page. Under the stated rules (`RULES=as-specified`) frames do not suppress the request.
 *
 * A failed request is repeated up to three times, after 1, 2 and 3 s (RULE-25); intervals meanwhile are skipped
 * (RULE-24). Failures are only logged, because a read computes the mark again.
 */
import { log } from '../../../shared/log/log.ts';
import { useSession } from '../../../shared/session/index.ts';
import { unwrapOrNull } from '../../../shared/supabase/request.ts';
import { getLastFrameAt } from './frames.ts';

export const refreshEveryMs = 5_000;
const retriesMax = 3;
const retryAfterMs = 1_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** @throws the failure of the last attempt. */
async function requestWithRetries(request: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await request();
      return;
    } catch (cause) {
      if (attempt > retriesMax) throw cause;
      await sleep(retryAfterMs * attempt);
    }
  }
}

type RefreshedPage = Pick<Window, 'addEventListener' | 'removeEventListener'> & {
  readonly document: Pick<Document, 'visibilityState'>;
};

/**
 * Runs until the returned function is called; pauses when the page is left (`pagehide`) and resumes when it returns.
 */
export function startMarkPriceRefresh(page: RefreshedPage): () => void {
  let isRequesting = false;
  let timer: ReturnType<typeof setInterval> | undefined;

  const refreshMarkPrices = () => {
    const session = useSession.getState();
    if (isRequesting || session.status !== 'signed-in' || page.document.visibilityState === 'hidden') return;
    const { rest, config } = session.supabase;
    const pricesFlow = Date.now() - getLastFrameAt() < refreshEveryMs;
    if (pricesFlow && config.rules !== 'as-specified') return;
    isRequesting = true;
    requestWithRetries(() => unwrapOrNull(rest.rpc('update_position_mark_prices')))
      .catch((cause: unknown) => log.warn('Mark prices could not be updated', cause))
      .finally(() => {
        isRequesting = false;
      });
  };
  const start = () => {
    timer ??= setInterval(refreshMarkPrices, refreshEveryMs);
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
