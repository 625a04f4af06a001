/** What a script finds on the page: `window.fulcrum.trading` while a trader is signed in. */
import { type Circumstances, createTradingStore, type TradingStore } from './trading-store.ts';

declare global {
  interface Window {
    fulcrum?: { readonly trading: TradingStore };
  }
}

export type { TradingStore } from './trading-store.ts';

/** Puts the store on the window until `remove` is called. */
export function offerTradingStore(circumstances: Circumstances): {
  readonly store: TradingStore;
  readonly remove: () => void;
} {
  const { store, stop } = createTradingStore(circumstances);
  const offered = { trading: store };
  window.fulcrum = offered;
  return {
    store,
    remove: () => {
      stop();
      if (window.fulcrum === offered) delete window.fulcrum;
    },
  };
}
