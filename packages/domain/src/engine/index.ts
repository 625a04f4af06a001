export * from './account.ts';
export * from './commands.ts';
export { closePriceOf } from './closing.ts';
export { decide } from './decide.ts';
export * from './effects.ts';
export { feeOf, type OpeningCost, openingCost } from './opening.ts';
export * from './protection.ts';
export * from './refusals.ts';
export * from './split.ts';
