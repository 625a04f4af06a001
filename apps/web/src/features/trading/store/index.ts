/** Exposes `window.fulcrum.trading` to scripts while a trader is signed in. */
import { createTradingStore, type StoreContext, type TradingStore } from './trading-store.ts';

declare global {
  interface Window {
    fulcrum?: { readonly trading: TradingStore };
  }
}

export type { TradingStore } from './trading-store.ts';

/** Puts the store on the window until `remove` is called. */
export function exposeTradingStore(context: StoreContext): {
  readonly store: TradingStore;
  readonly remove: () => void;
} {
  const { store, stop } = createTradingStore(context);
  const exposed = { trading: store };
  window.fulcrum = exposed;
  return {
    store,
    remove: () => {
      stop();
      if (window.fulcrum === exposed) delete window.fulcrum;
    },
  };
}
