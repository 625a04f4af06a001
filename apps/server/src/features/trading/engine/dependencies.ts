/** What an engine needs from outside, and what its parts share. */
import type { RuleSetName } from '@fulcrum/domain';
import type { Bus } from '../../../platform/bus/index.ts';
import type { TriggerRegistry } from '../triggers/registry.ts';
import type { AccountCache } from './account-cache.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { DeciderDependencies } from './batch-decision.ts';
import type { Decider } from './decider.ts';
import type { HaltCause } from './halt.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { EngineLimits } from './limits.ts';
import type { EngineObserver } from './observer.ts';
import type { Queue } from './queue.ts';
import type { RecentTicks } from './recent-ticks.ts';
import type { Store } from './store.ts';
import type { TradesInTransit } from './trades-in-transit.ts';

export interface EngineDependencies extends DeciderDependencies {
  /** Of main accounts: nothing of theirs may wait under other ones (A01). */
  readonly rules: RuleSetName;
  readonly store: Store;
  readonly bus: Bus;
  readonly limits: EngineLimits;
  readonly observer?: EngineObserver;
  /**
   * In a cluster: whether the engine may still believe that it lives. Otherwise it takes no command and fires no trigger. Without it the
   * engine believes so until a commit is refused.
   */
  readonly lease?: { isHeld(): boolean };
  /** In a cluster: what the process saw lately, for slots that had no engine meanwhile. */
  readonly recentTicks?: RecentTicks;
  /** The engine has halted by itself: a broken invariant, its end, or a halt that its commit met. */
  readonly onHalt?: (cause: HaltCause, reason: string) => void;
}

/** The parts of one engine; each part picks what it uses. */
export interface EngineParts extends EngineDependencies {
  readonly observer: EngineObserver;
  readonly lifecycle: Lifecycle;
  readonly queue: Queue;
  readonly inTransit: TradesInTransit;
  readonly accounts: AccountCache;
  readonly answers: AnswerCache;
  readonly triggers: TriggerRegistry;
  readonly decider: Decider;
  /** Has the engine do what waits. */
  readonly start: () => void;
}
