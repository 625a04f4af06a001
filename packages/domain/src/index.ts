export * from './engine/index.ts';
export * from './hours.ts';
export * from './margin.ts';
export * from './money.ts';
export * from './pairs.ts';
export * from './rules.ts';
export * from './states.ts';
export * from './validation.ts';
