/**
 * An exchange and a quote provider on loopback, with the wire formats of the real ones. They run in the worker, so a
 * journey can set prices and break the providers while the page is open.
 */
import { hourMs, minuteMs } from '@fulcrum/domain';
import { type ExchangeServer, startExchange } from '../../apps/server/test/market/exchange-server.ts';
import { type QuoteServer, startQuoteServer } from '../../apps/server/test/market/quote-server.ts';

export interface Providers {
  readonly exchange: ExchangeServer;
  readonly quotes: QuoteServer;
  close(): Promise<void>;
}

const now = () => Date.now();
const secondsOf = (instant: number) => Math.floor(instant / 1000);

export async function startProviders(): Promise<Providers> {
  const [exchange, quotes] = await Promise.all([startExchange({ now }), startQuoteServer(now)]);
  exchange.set('BTCUSDT', '64000.00');
  exchange.set('ETHUSDT', '3200.00');
  // Listed before the start: an unknown symbol is not requested again soon.
  // Twenty-five minutes behind.
  quotes.list('GBPUSD=X', { price: 1.27, time: secondsOf(now() - 25 * minuteMs) });
  quotes.list('JPY=X', { price: 150.25, currency: 'JPY' });
  quotes.list('CHF=X', { price: 0.88, currency: 'CHF' });
  quotes.list('SEK=X', { price: 9.5, currency: 'SEK', mode: 'bad-gateway' });
  // Its session ended an hour ago.
  const ended = now() - hourMs;
  quotes.list('AAPL', {
    price: 244.87,
    previousClose: 240,
    time: secondsOf(ended),
    session: { from: ended - 6 * hourMs, to: ended },
  });
  // In the middle of its session.
  quotes.list('MSFT', {
    price: 400,
    previousClose: 396,
    session: { from: now() - 2 * hourMs, to: now() + 2 * hourMs },
  });
  // An exchange trades all the time: without a message its price is stale after 15 s.
  const ticking = setInterval(() => exchange.reportAll(), 1_000);
  return {
    exchange,
    quotes,
    close: async () => {
      clearInterval(ticking);
      await Promise.all([exchange.close(), quotes.stop()]);
    },
  };
}
