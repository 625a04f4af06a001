export * from './account-terms.ts';
export * from './live-sums.ts';
export * from './queries.ts';
export * from './site-name.ts';
export * from './terms.ts';
