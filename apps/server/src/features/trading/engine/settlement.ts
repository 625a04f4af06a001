/**
 * The answers to clients: after a commit each command its own outcome, after a failure whether another try makes
 * sense.
 */
import { AppError, busy, texts } from '@fulcrum/contract';
import { type AnswerCache, idempotencyConflict } from './answer-cache.ts';
import type { DecidedBatch } from './batch-decision.ts';
import { type CommandRequest, isCrossing } from './queue.ts';
import { AuthorityLost, CommitRefused, type StoredAnswer } from './store.ts';

/** Answers a repeated client id: the stored answer for the same body, a conflict for another one. */
function settleRepeat({ key, resolve, reject }: CommandRequest, stored: StoredAnswer): void {
  if (stored.bodyHash === key?.bodyHash) resolve(stored.answer);
  else reject(idempotencyConflict());
}

/** Answers every command of a committed batch, and caches the answers for repeats. */
export function settleRequests(
  { applied, refused, repeats, drafts }: DecidedBatch,
  answers: AnswerCache,
): void {
  for (const { waiting, answer } of applied) {
    if (isCrossing(waiting) || answer === null) continue;
    const { key } = waiting;
    if (key) answers.remember(key, { bodyHash: key.bodyHash, answer });
    waiting.resolve(answer);
  }
  for (const { request, stored } of repeats) settleRepeat(request, stored);
  for (const { request, error } of refused) {
    const stored = request.key && answers.recent(request.key);
    if (stored) settleRepeat(request, stored);
    else request.reject(error);
  }
  for (const { wallet, isDeleted } of drafts) if (isDeleted) answers.forget(wallet.accountId);
}

/**
 * A refused commit is a fault of the command itself; any other failure, such as a full disk, may be over at the next
 * try.
 */
export function toClientError(error: Error): Error {
  if (error instanceof AuthorityLost) return new AppError('not_found', texts.userNotFound);
  return error instanceof CommitRefused ? error : busy();
}
