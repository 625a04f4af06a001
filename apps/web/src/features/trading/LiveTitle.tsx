/**
 * The tab's title with price and result, written once a second without a render. It is read most while the page is hidden, so
 * it goes on then: one look at the last price, and a write only when the text is another. The page's plain title returns with
 * the next page.
 */
import { useLayoutEffect, useMemo, useRef } from 'react';
import { useOpenPositions } from '../../shared/account/index.ts';
import { onEverySecond } from '../../shared/time/seconds.ts';
import { type Pair, usePriceStream } from '../market/index.ts';
import { followTotalPnl } from './positions/figures.ts';
import { titleText } from './title-text.ts';

export function LiveTitle({ pair: { symbol, tickSize } }: { readonly pair: Pair }) {
  const stream = usePriceStream();
  const { data: positions } = useOpenPositions();
  const total = useMemo(
    () => (positions && positions.length > 0 ? followTotalPnl(stream, positions) : null),
    [stream, positions],
  );
  const title = useRef<HTMLTitleElement>(null);
  useLayoutEffect(() => {
    const write = () => {
      const price = stream.latest(symbol)?.price ?? null;
      const text = titleText({ symbol, tickSize, price, pnl: total?.get() ?? null });
      if (title.current && title.current.textContent !== text) title.current.textContent = text;
    };
    write();
    return onEverySecond(write);
  }, [stream, symbol, tickSize, total]);
  // Another pair is another element: React never meets a text that it did not write.
  return <title key={symbol} ref={title}>{`${symbol} | Fulcrum`}</title>;
}
