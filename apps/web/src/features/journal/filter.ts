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

/** Characters of one value in a request, the server's limit. */
const valueChars = 1_000;
/**
 * Characters of the address that tags may take, URL-encoded: those found by the text, and the spellings of the chosen tag. With
 * the longest text, a cursor and all other parameters the address stays below the server's 8,192.
 */
const addressChars = { text: 4_500, tag: 1_000 } as const;

const encodedChars = (text: string): number => new URLSearchParams([['', text]]).toString().length - 1;

interface PackedTags {
  /** Array literals of at most `valueChars` characters. */
  readonly literals: readonly string[];
  /** Whether the last tags have no room. */
  readonly isCut: boolean;
}

/** Packs tags into as few values as possible, as far as `charsMax` characters of the address have room for them. */
function packTags(tags: readonly string[], charsMax: number): PackedTags {
  const lists: string[][] = [];
  let listChars = valueChars;
  let chars = 0;
  for (const tag of tags) {
    const element = `${quoted(tag)},`;
    chars += encodedChars(quoted(element));
    if (chars > charsMax) break;
    listChars += element.length;
    if (listChars > valueChars) {
      lists.push([]);
      listChars = '{}'.length + element.length;
    }
    lists.at(-1)?.push(tag);
  }
  return { literals: lists.map(listLiteral), isCut: chars > charsMax };
}

/** Every spelling of the tags that `matches` selects, the most used tags first. */
const getSpellings = (tags: readonly TagCount[], matches: (key: string) => boolean): readonly string[] =>
  tags.filter(({ tag }) => matches(tagKey(tag))).flatMap(({ spellings }) => spellings);

function packChosenTag(chosen: string, tags: readonly TagCount[]): PackedTags {
  const spellings = getSpellings(tags, (key) => key === tagKey(chosen));
  return packTags(spellings.length > 0 ? spellings : [chosen], addressChars.tag);
}

const packFoundTags = (searched: string, tags: readonly TagCount[]): PackedTags =>
  packTags(
    getSpellings(tags, (key) => key.includes(tagKey(searched))),
    addressChars.text,
  );

/** The filter for the chosen tag in all its spellings; null for no filter. */
export const tagOperand = ({ tag }: JournalFilter, tags: readonly TagCount[]): string | null =>
  tag === null ? null : (packChosenTag(tag, tags).literals[0] ?? listLiteral([]));

/** The alternatives of `or=(…)` for the text; null for no filter. */
export function textOperand({ text }: JournalFilter, tags: readonly TagCount[]): string | null {
  const searched = text.trim();
  if (searched === '') return null;
  const pattern = quoted(`*${searched.replaceAll(/[\\%_]/g, '\\$&')}*`);
  const found = packFoundTags(searched, tags).literals.map((literal) => `tags.ov.${quoted(literal)}`);
  return [`title.ilike.${pattern}`, `content.ilike.${pattern}`, ...found].join();
}

/** Whether more tags match than a request has room for: the least used ones are not searched. */
export function isTagSearchCut({ text, tag }: JournalFilter, tags: readonly TagCount[]): boolean {
  const searched = text.trim();
  return (
    (searched !== '' && packFoundTags(searched, tags).isCut) ||
    (tag !== null && packChosenTag(tag, tags).isCut)
  );
}
