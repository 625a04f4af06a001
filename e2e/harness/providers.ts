/** A Fulcrum with live prices, of providers that the journey controls. */
import { test as base } from './fulcrum.ts';
import type { Providers } from './provider-servers.ts';

export const test = base.extend<{ providers: Providers }>({
  providers: async ({ providersFor, serverFor }, use) => use(await providersFor(serverFor)),
  serverEnv: async ({ providers: { exchange, quotes } }, use) =>
    use({
      PRICE_FEED: 'live',
      BINANCE_URL: exchange.url,
      BINANCE_STREAM_URL: exchange.streamUrl,
      YAHOO_URL: quotes.url,
      ALLOW_PRIVATE_PROVIDERS: 'true',
      // On any day of the week: the providers state which market is closed.
      SESSIONS: '24x7',
    }),
});
export { expect } from './fulcrum.ts';
