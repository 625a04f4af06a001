/** Why staff did something: every act of theirs names a reason, which the audit log keeps for good. */
import { AppError, texts } from '@fulcrum/contract';

/** Of a reason, as the procedures declare it: a table's own write may bring a longer text. */
const reasonMax = 500;
/**
 * A log must not be rewritten by what stands in it, nor be read in another order than it is written; a reason may have
 * lines.
 */
const controlCharacter = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;
/** What nobody sees is no reason. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The reason without the blanks around it.
 * @throws AppError `reason_required`, `invalid_argument` for what the audit log does not take
 */
export function requireReason(reason: string | null | undefined): string {
  const given = reason?.trim() ?? '';
  if (given.replace(invisible, '').trim() === '') throw new AppError('reason_required', texts.reasonRequired);
  if (given.length > reasonMax) {
    throw new AppError('invalid_argument', `A reason has at most ${reasonMax} characters`);
  }
  // PostgreSQL would refuse the JSON of half a surrogate pair, and everybody's batch with it.
  if (!given.isWellFormed() || controlCharacter.test(given)) {
    throw new AppError('invalid_argument', 'Control characters are not allowed in a reason');
  }
  return given;
}
