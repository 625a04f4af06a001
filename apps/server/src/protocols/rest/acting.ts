/**
 * The guard of writing while a caller acts as somebody else (A45): default deny, so what the contract does not mark as
 * allowed is refused before anything is done. Reading follows the role and id of the person who is being viewed.
 */
import { AppError, type Caller, isActing, texts } from '@fulcrum/contract';

/** @throws AppError not_allowed unless the caller acts for itself, or this is allowed to one who does not. */
export function requireOwnHand(caller: Caller, whileActing: 'allowed' | undefined): void {
  if (whileActing !== 'allowed' && caller.role !== 'anon' && isActing(caller)) {
    throw new AppError('not_allowed', texts.notWhileActing);
  }
}
