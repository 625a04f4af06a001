/**
 * The journal's filter: its form in the address (`?search=…&tag=…`) and in the server request. The server searches
 * titles, texts and tags of the whole journal. Known limitation: a `*` in the search is a wildcard, as in every
 * filter of `/rest/v1`.
 */
import { tagKey } from '@fulcrum/domain';
import { optionalField, textField } from '../../shared/url-state/index.ts';

export interface JournalFilter {
  /** As typed; '' matches every entry. */
  readonly text: string;
  readonly tag: string | null;
}

/** A longer text is cut, because it would not fit the address of a request. */
export const searchChars = 100;

const textOfUrl = textField(searchChars, 'search');
export const filterFields = {
  text: textOfUrl,
  tag: optionalField((text) => textOfUrl.parse(text, {}) || null),
} as const;

export const isFiltered = ({ text, tag }: JournalFilter): boolean => text.trim() !== '' || tag !== null;

/** A tag in its most used spelling, with the number of entries that have it in any spelling. */
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
/** A PostgreSQL array literal. */
export const listLiteral = (values: readonly string[]): string => `{${values.map(quoted).join(',')}}`;

/** The number of tag spellings in one request. */
const spellingsMax = 50;

/** Every spelling of the tags that `matches` selects. */
const getSpellings = (tags: readonly TagCount[], matches: (key: string) => boolean): readonly string[] =>
  tags
    .filter(({ tag }) => matches(tagKey(tag)))
    .flatMap(({ spellings }) => spellings)
    .slice(0, spellingsMax);

/** The filter for the chosen tag in all its spellings; null for no filter. */
export function tagOperand({ tag }: JournalFilter, tags: readonly TagCount[]): string | null {
  if (tag === null) return null;
  const spellings = getSpellings(tags, (key) => key === tagKey(tag));
  return listLiteral(spellings.length > 0 ? spellings : [tag]);
}

/** The alternatives of `or=(…)` for the text; null for no filter. */
export function textOperand({ text }: JournalFilter, tags: readonly TagCount[]): string | null {
  const searched = text.trim();
  if (searched === '') return null;
  const pattern = quoted(`*${searched.replaceAll(/[\\%_]/g, '\\$&')}*`);
  const found = getSpellings(tags, (key) => key.includes(tagKey(searched)));
  const alternatives = [`title.ilike.${pattern}`, `content.ilike.${pattern}`];
  if (found.length > 0) alternatives.push(`tags.ov.${quoted(listLiteral(found))}`);
  return alternatives.join();
}
