/** The function by which a procedure submits a command to the engine. */
import type { Command } from '@fulcrum/domain';
import type { CommandOrigin } from './engine/queue.ts';
import type { Answer, IdempotencyKey } from './engine/store.ts';

/** `Engine.submit`. */
export type Submit = (origin: CommandOrigin, command: Command, key: IdempotencyKey | null) => Promise<Answer>;
