/** The pairs that Fulcrum lists, their origin, and the market of each symbol. */
export { pairsOfExchange } from './exchange-info.ts';
export type { ListedPair } from './listing.ts';
export { tickerOf, unquotedError } from './routing.ts';
export { type Catalogue, createCatalogue } from './runtime.ts';
export { catalogue } from './shipped.ts';
