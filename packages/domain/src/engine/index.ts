export * from './account.ts';
export * from './commands.ts';
export { decide } from './decide.ts';
export * from './effects.ts';
export * from './protection.ts';
export * from './split.ts';
