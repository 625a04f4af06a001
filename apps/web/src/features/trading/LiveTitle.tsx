/**
 * The tab's title with price and result, written once a second without a render. It also runs while the page is
 * hidden, when the title is read most. Each run reads the last price and writes only a changed text. The next page
 * restores its plain title.
 */
import { useLayoutEffect, useMemo, useRef } from 'react';
import { useOpenPositions, useSiteName } from '../../shared/account/index.ts';
import { onEverySecond } from '../../shared/time/seconds.ts';
import { type Pair, usePriceStream } from '../market/index.ts';
import { createTotalPnlSource } from './positions/figures.ts';
import { formatTitle } from './title-text.ts';

export function LiveTitle({ pair: { symbol, tickSize } }: { readonly pair: Pair }) {
  const stream = usePriceStream();
  const site = useSiteName();
  const { data: positions } = useOpenPositions();
  const total = useMemo(
    () => (positions && positions.length > 0 ? createTotalPnlSource(stream, positions) : null),
    [stream, positions],
  );
  const title = useRef<HTMLTitleElement>(null);
  useLayoutEffect(() => {
    const write = () => {
      const price = stream.latest(symbol)?.price ?? null;
      const text = formatTitle({ symbol, tickSize, price, pnl: total?.get() ?? null, site });
      if (title.current && title.current.textContent !== text) title.current.textContent = text;
    };
    write();
    return onEverySecond(write);
  }, [stream, symbol, tickSize, total, site]);
  // Another pair gets another element, so React never updates a text that it did not write.
  return <title key={symbol} ref={title}>{`${symbol} | ${site}`}</title>;
}
