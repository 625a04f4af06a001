/** What clients are told: of a committed batch each its own outcome, of a failure whether another try makes sense. */
import { AppError, busy, texts } from '@fulcrum/contract';
import { type Answers, idempotencyConflict } from './answers.ts';
import type { DecidedBatch } from './decider.ts';
import { isCrossing, type Request } from './queue.ts';
import { AuthorityLost, CommitRefused, type StoredAnswer } from './store.ts';

/** Answers a repeated client id: the stored answer for the same body, a conflict for another one. */
function repeat({ key, resolve, reject }: Request, stored: StoredAnswer): void {
  if (stored.bodyHash === key?.bodyHash) resolve(stored.answer);
  else reject(idempotencyConflict());
}

/** Answers everyone of a batch that is committed, and keeps the answers for those who ask again. */
export function tellOutcomes({ done, refused, repeats, drafts }: DecidedBatch, answers: Answers): void {
  for (const { waiting, answer } of done) {
    if (isCrossing(waiting) || answer === null) continue;
    const { key } = waiting;
    if (key) answers.remember(key, { bodyHash: key.bodyHash, answer });
    waiting.resolve(answer);
  }
  for (const { request, stored } of repeats) repeat(request, stored);
  for (const { request, error } of refused) {
    const stored = request.key && answers.recent(request.key);
    if (stored) repeat(request, stored);
    else request.reject(error);
  }
  for (const { wallet, isDeleted } of drafts) if (isDeleted) answers.forget(wallet.userId);
}

/** A refused commit is a fault of the command itself; anything else may be gone at the next try. */
export function failureOf(error: Error): Error {
  if (error instanceof AuthorityLost) return new AppError('not_found', texts.userNotFound);
  return error instanceof CommitRefused ? error : busy();
}
