/** The people of support: who is there, whom they attend to, and what they did. */
import { busy } from '@fulcrum/contract';
import type { SupportDependencies } from './index.ts';

export function createAgents(_deps: SupportDependencies) {
  const notYet = async (): Promise<never> => {
    throw busy();
  };
  return {
    writes: { 'support_details.update': notYet },
    procedures: {
      get_support_presence: notYet,
      get_attended_trader: notYet,
      get_support_metrics: notYet,
    },
    async start(): Promise<void> {},
    async stop(): Promise<void> {},
  };
}
