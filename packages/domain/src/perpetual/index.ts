export * from './book.ts';
export * from './book-model.ts';
export * from './brackets.ts';
export * from './costs-over-time.ts';
export * from './fill-profiles.ts';
export * from './live-book.ts';
export * from './net-position.ts';
export * from './trade-model.ts';
