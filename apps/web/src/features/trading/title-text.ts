/** What the browser's tab says while one trades: the price, the pair, and how the open positions stand. */
import { formatAmount, formatPrice } from '../../shared/numbers/index.ts';

interface TitleFigures {
  readonly symbol: string;
  readonly tickSize: number;
  /** Null without one. */
  readonly price: number | null;
  /** USDT of all open positions; null while there are none, or a price is missing. */
  readonly pnl: number | null;
}

/** `97,482.60 BTCUSDT · +255.97 | Fulcrum`. */
export function titleText({ symbol, tickSize, price, pnl }: TitleFigures): string {
  const pair = price === null ? symbol : `${formatPrice(price, tickSize)} ${symbol}`;
  return pnl === null ? `${pair} | Fulcrum` : `${pair} · ${formatAmount(pnl, 'always')} | Fulcrum`;
}
