/** What staff read to run the place. A list is paged, and counts what it leaves out. */
export * from './edits.ts';
export * from './figures.ts';
export * from './positions.ts';
export * from './quick-search.ts';
export * from './users.ts';
export * from './wallets.ts';
