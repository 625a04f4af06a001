export * from './findings.ts';
export * from './lessons.ts';
export * from './order-facts.ts';
export * from './own-rules.ts';
export * from './recap.ts';
export * from './rules.ts';
export * from './trade-facts.ts';
export * from './warnings.ts';
