export * from './audit-actions.ts';
export * from './buckets.ts';
export * from './columns.ts';
export * from './constraints.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './procedures/index.ts';
export type { PublicConfig } from './public-config.ts';
export * from './roles.ts';
export * from './server-texts.ts';
export * from './tables/index.ts';
export * as topicsByName from './topics.ts';
export {
  type PriceState,
  type RecordedClock,
  type Source,
  sources,
  type Tick,
  type Topic,
  topics,
  tradersChanged,
} from './topics.ts';
