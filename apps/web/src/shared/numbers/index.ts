export * from './exact.ts';
export * from './figures.tsx';
export * from './format.ts';
export * from './format-pnl.ts';
export * from './live.tsx';
export * from './Pnl.tsx';
