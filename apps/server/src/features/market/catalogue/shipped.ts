/** The pairs that Fulcrum ships with, in the order of the screens' markets (A28, A99). */
import { commodityPairs } from './commodities.ts';
import { cryptoPairs } from './crypto.ts';
import { forexPairs } from './forex.ts';
import { indexPairs } from './indices.ts';
import { type ListedPair, withSortOrder } from './listing.ts';
import { stockPairs } from './stocks.ts';

export const catalogue: readonly ListedPair[] = withSortOrder([
  ...cryptoPairs,
  ...stockPairs,
  ...forexPairs,
  ...commodityPairs,
  ...indexPairs,
]);
