/** What a test and its engine processes tell each other over the pipe of `fork`, which carries bigint. */
import type { ErrorCode } from '@fulcrum/contract';
import type { Command } from '@fulcrum/domain';
import type { CommandOrigin } from '../../src/features/trading/engine/queue.ts';
import type { Answer, IdempotencyKey } from '../../src/features/trading/engine/store.ts';

export interface SentCommand {
  readonly kind: 'command';
  readonly id: number;
  readonly origin: CommandOrigin;
  readonly command: Command;
  readonly key: IdempotencyKey | null;
  /** Milliseconds since the epoch. */
  readonly until: number;
}
export type ToEngine =
  | SentCommand
  | { readonly kind: 'price'; readonly symbol: string; readonly price: string }
  | { readonly kind: 'stop' };

export type Outcome =
  | { readonly done: Answer }
  | {
      readonly error: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly details: string | null;
        readonly hint: string | null;
      };
    }
  /** Nothing that a client may see. */
  | { readonly fault: string }
  /** Not done; not done in time; done or not. */
  | 'moved'
  | 'late'
  | 'unknown';
export type FromEngine =
  | { readonly kind: 'started' }
  | { readonly kind: 'slots' }
  | { readonly kind: 'outcome'; readonly id: number; readonly outcome: Outcome };
