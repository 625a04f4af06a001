/** The procedures of staff. A list is paged, and counts what it leaves out. */

export * from './bulk.ts';
export * from './exports.ts';
export * from './positions.ts';
export * from './previews.ts';
export * from './quick-search.ts';
export * from './records.ts';
export * from './totals.ts';
export * from './users.ts';
export * from './wallets.ts';
