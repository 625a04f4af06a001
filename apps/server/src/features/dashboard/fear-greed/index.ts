import { busy, type FearAndGreed } from '@fulcrum/contract';
import type { DashboardDependencies } from '../index.ts';

export const createFearAndGreed = (_deps: DashboardDependencies) => ({
  get_fear_and_greed: async (): Promise<FearAndGreed> => {
    throw busy();
  },
});
