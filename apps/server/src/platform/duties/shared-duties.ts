/**
 * The duties whose work can be done twice without harm: their holder is asked before each round of the work, and a round under way goes on
 * when the duty ends. So they need no term in what they write.
 */
import type { ClusterLink } from '../cluster/link.ts';
import type { Services } from '../services.ts';
import { createDuty } from './index.ts';

const names = ['ledger', 'chores'] as const;
type SharedDuty = (typeof names)[number];

export interface Duties {
  /** Whether this process does that work now. */
  isOurs(name: SharedDuty): boolean;
  /** Whether other processes may do it instead. */
  readonly isShared: boolean;
}

/** The duties of a process that is alone on its database: it has all of them. */
export const allDuties: Duties = { isOurs: () => true, isShared: false };

/** Competes for each duty from `start` on; gives them back at `stop`. */
export function createSharedDuties(
  deps: Pick<Services, 'db' | 'timers' | 'log'> & { readonly link: ClusterLink },
) {
  const { link, ...services } = deps;
  // Most of the work sends commands to engines of other processes.
  const work = { begin: async () => {}, end: async () => {}, isWilling: () => link.isConnected() };
  const duties = new Map(
    names.map((name) => [name, createDuty({ ...services, name, processId: link.processId, work })]),
  );
  return {
    isShared: true,
    isOurs: (name: SharedDuty) => duties.get(name)?.term() !== null,
    async start(): Promise<void> {
      for (const duty of duties.values()) duty.start();
    },
    async stop(): Promise<void> {
      await Promise.all([...duties.values()].map((duty) => duty.stop()));
    },
  } satisfies Duties & { start(): Promise<void>; stop(): Promise<void> };
}
