/** Why staff change money or a position: a kind that can be counted, and words. Both are one text in the audit log. */

/** Characters that the server takes. */
const reasonMax = 500;

export const fundsReasons = ['Payment', 'Correction', 'Goodwill', 'Other'] as const;
export const editReasons = ['Price', 'Feed error', 'Goodwill', 'Other'] as const;

export interface Reason<Kind extends string> {
  readonly kind: Kind;
  readonly text: string;
}

export const reasonRoom = (kind: string): number => reasonMax - `${kind}: `.length;

/** Null while there are no words: a kind alone is no reason. */
export function reasonOf({ kind, text }: Reason<string>): string | null {
  const words = text.trim();
  return words === '' || words.length > reasonRoom(kind) ? null : `${kind}: ${words}`;
}
