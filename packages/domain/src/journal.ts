/**
 * The limits of an entry of the trading journal and the parser of typed text (ENT-28, JRNL-05 to JRNL-08, A88). Blank
 * means without a visible character: white space, or characters without a shape. Lengths are in UTF-16 units, as a
 * text field counts them; PostgreSQL counts characters, which are never more.
 * Known limitation: tags that differ only in accents are different tags.
 */

export const journalLimits = {
  titleChars: 200,
  contentChars: 20_000,
  tags: 20,
  tagChars: 40,
  /** Entries of one trader. */
  entries: 10_000,
} as const;

/** An entry as it was typed; `tags` with commas between them. */
interface TypedEntry {
  readonly title: string;
  readonly content: string;
  readonly tags: string;
}

/** An entry that may be saved. */
export interface EntryText {
  readonly title: string;
  /** Markdown. */
  readonly content: string;
  readonly tags: readonly string[];
}

export type EntryFault =
  | 'title blank'
  | 'title too long'
  | 'content blank'
  | 'content too long'
  | 'too many tags'
  | 'tag too long';

type ParsedEntry =
  | { readonly kind: 'entry'; readonly entry: EntryText }
  | { readonly kind: 'refused'; readonly faults: readonly EntryFault[] };

/**
 * Removes what no database text can hold: a NUL is dropped, half a surrogate pair becomes the replacement character.
 */
export const toStorable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** A visible character; the empty Braille cell is invisible. The database's `app.can_be_seen` is the same rule. */
const seen = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u;
export const isBlank = (text: string): boolean => !seen.test(text);

/** The key of a tag: spellings that differ in capitals share it. */
export const tagKey = (tag: string): string => tag.toLowerCase();

/**
 * Splits a text on commas into trimmed tags without empty ones. Of tags that differ only in capitals the first
 * remains. A tag is one line; white space within it becomes one space.
 */
export function parseTags(text: string): readonly string[] {
  const tags = new Map<string, string>();
  for (const part of toStorable(text).split(',')) {
    const tag = part.trim().replaceAll(/\s+/gu, ' ');
    if (!isBlank(tag) && !tags.has(tagKey(tag))) tags.set(tagKey(tag), tag);
  }
  return [...tags.values()];
}

/** The text from which `parseTags` makes these tags again. */
export const tagsText = (tags: readonly string[]): string => tags.join(', ');

/** The entry of a typed text, or every reason why it is invalid. */
export function parseEntry(typed: TypedEntry): ParsedEntry {
  const title = toStorable(typed.title).trim().replaceAll(/\s+/gu, ' ');
  // Spaces at the start of a line mean something in Markdown; empty lines around the text do not.
  const content = toStorable(typed.content)
    .replace(/^(?:[^\S\n]*\n)+/u, '')
    .trimEnd();
  const tags = parseTags(typed.tags);
  const checks: readonly (readonly [wrong: boolean, fault: EntryFault])[] = [
    [isBlank(title), 'title blank'],
    [title.length > journalLimits.titleChars, 'title too long'],
    [isBlank(content), 'content blank'],
    [content.length > journalLimits.contentChars, 'content too long'],
    [tags.length > journalLimits.tags, 'too many tags'],
    [tags.some((tag) => tag.length > journalLimits.tagChars), 'tag too long'],
  ];
  const faults = checks.flatMap(([wrong, fault]) => (wrong ? [fault] : []));
  return faults.length > 0 ? { kind: 'refused', faults } : { kind: 'entry', entry: { title, content, tags } };
}
