/** The pairs that Fulcrum lists, where they come from, and which market a symbol belongs to. */
export { pairsOfExchange } from './exchange-info.ts';
export type { ListedPair, TypicalMarket } from './listing.ts';
export { tickerOf } from './routing.ts';
export { type Catalogue, createCatalogue } from './runtime.ts';
export { catalogue } from './shipped.ts';
