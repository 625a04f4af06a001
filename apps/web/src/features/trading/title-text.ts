/** The browser tab's title on the trading screen: the price, the pair, and the open positions' result. */
import { formatAmount, formatPrice } from '../../shared/numbers/index.ts';

interface TitleFigures {
  readonly symbol: string;
  readonly tickSize: number;
  /** Null without a price. */
  readonly price: number | null;
  /** USDT of all open positions; null while there are none, or a price is missing. */
  readonly pnl: number | null;
}

/** `97,482.60 BTCUSDT · +255.97 | Fulcrum`. */
export function formatTitle({ symbol, tickSize, price, pnl }: TitleFigures): string {
  const pair = price === null ? symbol : `${formatPrice(price, tickSize)} ${symbol}`;
  return pnl === null ? `${pair} | Fulcrum` : `${pair} · ${formatAmount(pnl, 'always')} | Fulcrum`;
}
