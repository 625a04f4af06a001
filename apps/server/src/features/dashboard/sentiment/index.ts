import { busy, type MarketSentiment } from '@fulcrum/contract';
import type { DashboardDependencies } from '../index.ts';

export const createSentiment = (_deps: DashboardDependencies) => ({
  get_market_sentiment: async (): Promise<MarketSentiment> => {
    throw busy();
  },
});
