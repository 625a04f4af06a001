export * from './figures.tsx';
export * from './format.ts';
export * from './live.tsx';
