/**
 * What of the journal is looked for, as it stands in the address (`?search=…&tag=…`), and as the server is asked for it. The
 * whole journal is searched, on the server: titles, texts and tags. Known limitation: a `*` that is searched for stands for
 * anything, as it does in every filter of `/rest/v1`.
 */
import { tagKey } from '@fulcrum/domain';

export interface JournalFilter {
  /** As typed; '' looks for nothing. */
  readonly text: string;
  readonly tag: string | null;
}

/** A longer one is cut: it would not fit the address of a request. */
export const searchChars = 100;

/** No text of the server holds a NUL or half a character, and asking for one is refused. */
const askable = (text: string | null): string =>
  (text ?? '').replaceAll('\0', '').toWellFormed().slice(0, searchChars);

export const readFilter = (search: URLSearchParams): JournalFilter => ({
  text: askable(search.get('search')),
  tag: askable(search.get('tag')) || null,
});

export const isFiltered = ({ text, tag }: JournalFilter): boolean => text.trim() !== '' || tag !== null;

/** A tag in its most used spelling, and how many entries have it in any. */
export interface TagCount {
  readonly tag: string;
  readonly count: number;
  readonly spellings: readonly string[];
}

/** The tags of all entries, the most used first, then by name. */
export function countTags(entries: readonly { readonly tags: readonly string[] }[]): readonly TagCount[] {
  const uses = new Map<string, Map<string, number>>();
  for (const { tags } of entries) {
    const ofEntry = new Map(tags.map((tag) => [tagKey(tag), tag]));
    for (const [key, tag] of ofEntry) {
      const spellings = uses.get(key) ?? new Map<string, number>();
      spellings.set(tag, (spellings.get(tag) ?? 0) + 1);
      uses.set(key, spellings);
    }
  }
  return [...uses.values()]
    .map((spellings) => {
      const ranked = [...spellings].sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
      const count = ranked.reduce((sum, [, used]) => sum + used, 0);
      return { tag: ranked[0]?.[0] ?? '', count, spellings: ranked.map(([tag]) => tag) };
    })
    .sort((a, b) => b.count - a.count || a.tag.localeCompare(b.tag));
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
/** PostgreSQL's literal of a list. */
export const listLiteral = (values: readonly string[]): string => `{${values.map(quoted).join(',')}}`;

/** How many spellings of tags one request names. */
const spellingsMax = 50;

/** Every spelling of the tags that `matches` finds. */
const spellingsOf = (tags: readonly TagCount[], matches: (key: string) => boolean): readonly string[] =>
  tags
    .filter(({ tag }) => matches(tagKey(tag)))
    .flatMap(({ spellings }) => spellings)
    .slice(0, spellingsMax);

/** The entries of the chosen tag, however it is written; null asks for all. */
export function tagOperand({ tag }: JournalFilter, tags: readonly TagCount[]): string | null {
  if (tag === null) return null;
  const spellings = spellingsOf(tags, (key) => key === tagKey(tag));
  return listLiteral(spellings.length > 0 ? spellings : [tag]);
}

/** The alternatives of `or=(…)` for the text; null asks for all. */
export function textOperand({ text }: JournalFilter, tags: readonly TagCount[]): string | null {
  const sought = text.trim();
  if (sought === '') return null;
  const pattern = quoted(`*${sought.replaceAll(/[\\%_]/g, '\\$&')}*`);
  const found = spellingsOf(tags, (key) => key.includes(tagKey(sought)));
  const alternatives = [`title.ilike.${pattern}`, `content.ilike.${pattern}`];
  if (found.length > 0) alternatives.push(`tags.ov.${quoted(listLiteral(found))}`);
  return alternatives.join();
}
