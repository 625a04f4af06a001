/** Reasons of staff for changing money or a position: a category and a text. The audit log stores both as one text. */

/** The maximum length that the server accepts. */
const reasonMax = 500;

export const fundsReasons = ['Payment', 'Correction', 'Goodwill', 'Other'] as const;
export const editReasons = ['Price', 'Feed error', 'Goodwill', 'Other'] as const;

export interface Reason<Kind extends string> {
  readonly kind: Kind;
  readonly text: string;
}

export const reasonTextMax = (kind: string): number => reasonMax - `${kind}: `.length;

/** Null while the text is empty: a category alone is no reason. */
export function toReasonText({ kind, text }: Reason<string>): string | null {
  const trimmed = text.trim();
  return trimmed === '' || trimmed.length > reasonTextMax(kind) ? null : `${kind}: ${trimmed}`;
}
