/** The browser tab's title on the trading screen: the price, the pair, and the open positions' result. */
import { formatAmount, formatPrice } from '../../shared/numbers/index.ts';

interface TitleFigures {
  readonly symbol: string;
  readonly tickSize: number;
  /** Null without a price. */
  readonly price: number | null;
  /** USDT of all open positions; null while there are none, or a price is missing. */
  readonly pnl: number | null;
  /** `Fulcrum`, or the account where it is not the main one. */
  readonly site: string;
}

/** `97,482.60 BTCUSDT · +255.97 | Fulcrum`. */
export function formatTitle({ symbol, tickSize, price, pnl, site }: TitleFigures): string {
  const pair = price === null ? symbol : `${formatPrice(price, tickSize)} ${symbol}`;
  return pnl === null ? `${pair} | ${site}` : `${pair} · ${formatAmount(pnl, 'always')} | ${site}`;
}
