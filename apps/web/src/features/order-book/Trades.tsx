/** The market's last trades, the newest first, in the colour of the side that took (A114). */
import { formatPrice, formatSize } from '../../shared/numbers/index.ts';
import { formatClockWithSeconds } from '../../shared/time/dates.ts';
import { type Pair, useFreshness } from '../market/index.ts';
import { bookColumns } from './book-columns.ts';
import type { ShownTrade } from './book-query.ts';

interface TradesProps {
  readonly pair: Pair;
  readonly trades: readonly ShownTrade[];
}

const tones = { BUY: 'text-up', SELL: 'text-down' } as const;
const sideNames = { BUY: 'Bought', SELL: 'Sold' } as const;

/** A trade has no id, and two of one instant may be alike. */
function withKeys(trades: readonly ShownTrade[]) {
  const seen = new Map<string, number>();
  return trades.map((trade) => {
    const text = Object.values(trade).join();
    const count = seen.get(text) ?? 0;
    seen.set(text, count + 1);
    return { ...trade, key: `${text} ${count}` };
  });
}

export function Trades({ pair, trades }: TradesProps) {
  const isClosed = useFreshness(pair) === 'closed';
  if (trades.length === 0)
    return (
      <p className="p-2.5 text-12 text-text-2">
        {isClosed
          ? 'Market is closed. Trades follow once it opens.'
          : 'There is no trade yet. It follows with the next price.'}
      </p>
    );
  return (
    <>
      <div className={`shrink-0 py-1 text-11 text-text-3 ${bookColumns}`} aria-hidden="true">
        <span>Price</span>
        <span className="text-right">{pair.baseAsset}</span>
        <span className="text-right">Time</span>
      </div>
      <ul aria-label="Last trades, the newest first" className="min-h-0 grow basis-0 overflow-y-auto">
        {withKeys(trades).map(({ key, price, size, side, time }) => (
          <li key={key} className={`figures h-5 items-center text-11 ${bookColumns}`}>
            <span className={`font-medium ${tones[side]}`}>
              <span className="sr-only">{`${sideNames[side]} at `}</span>
              {formatPrice(price, pair.tickSize)}
            </span>
            <span className="text-right">{formatSize(size, pair.stepSize)}</span>
            <span className="text-right text-text-2">{formatClockWithSeconds(time)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
