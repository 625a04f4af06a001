/** What the parts of this feature share. */
import type { AppError } from '@fulcrum/contract';
import type { Config } from '../../platform/config/index.ts';
import type { Duties } from '../../platform/duties/shared-duties.ts';
import type { Services } from '../../platform/services.ts';
import type { Identity } from '../identity/index.ts';
import type { Market } from '../market/index.ts';
import type { Trading } from '../trading/index.ts';

export interface SignalsDependencies extends Services {
  readonly config: Pick<Config, 'demo'>;
  /** Left out: this server is alone on its database. */
  readonly duties?: Duties;
  readonly identity: Pick<Identity, 'findDemoUser'>;
  readonly market: Pick<Market, 'pairs' | 'price' | 'ensureFresh'>;
  readonly trading: Pick<Trading, 'dryRun'> & {
    readonly procedures: Pick<Trading['procedures'], 'open_position' | 'close_position'>;
    readonly writes: Pick<Trading['writes'], 'orders.insert' | 'orders.update'>;
  };
  /** Where visitors reach this server; known once it listens. */
  readonly publicUrl: () => string;
}

/** A signal that was stored, as its sender is answered. */
export interface Received {
  readonly id: string;
  /** Whether the same body came by the same address within the last minute; the id is that signal's. */
  readonly isRepeated: boolean;
  /** Null for a body that can be read. */
  readonly fault: AppError | null;
}
