export * from './queries.ts';
export * from './terms.ts';
