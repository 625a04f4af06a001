/**
 * Texts of staff actions: the reason, which the audit log stores for good, and the description of funds, which the trader
 * reads.
 */
import { AppError, texts } from '@fulcrum/contract';

/** Characters of either, as the procedures declare a reason: a table's own write may bring a longer text. */
const charactersMax = 500;
/** Characters that could change how a log line displays, or its reading order; a reason may have several lines. */
const controlCharacter = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;
/** A reason has to be visible. */
const invisibleCharacter = /\p{Default_Ignorable_Code_Point}/gu;

const hasVisibleText = (text: string): boolean => text.replace(invisibleCharacter, '').trim() !== '';

/** @throws AppError `invalid_argument` for what neither the audit log nor a history takes */
function requirePlainText(text: string, kind: 'reason' | 'description'): string {
  if (text.length > charactersMax) {
    throw new AppError('invalid_argument', `A ${kind} has at most ${charactersMax} characters`);
  }
  // PostgreSQL would refuse the JSON of half a surrogate pair, and everybody's batch with it.
  if (!text.isWellFormed() || controlCharacter.test(text)) {
    throw new AppError('invalid_argument', `Control characters are not allowed in a ${kind}`);
  }
  return text;
}

/**
 * The reason without the blanks around it.
 * @throws AppError `reason_required`, `invalid_argument` for what the audit log does not take
 */
export function requireReason(reason: string | null | undefined): string {
  const given = reason?.trim() ?? '';
  if (!hasVisibleText(given)) throw new AppError('reason_required', texts.reasonRequired);
  return requirePlainText(given, 'reason');
}

/** The description without the blanks around it, null for none. @throws AppError `invalid_argument` */
export function parseDescription(description: string | null): string | null {
  const given = description?.trim() ?? '';
  return hasVisibleText(given) ? requirePlainText(given, 'description') : null;
}
