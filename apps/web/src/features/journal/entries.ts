/**
 * The journal's server requests. Invariants: a save names the entry's own id, so it may be repeated after a lost
 * answer. An edit names the `updatedAt` that it saw, so it overwrites no other edit. Pages are cut by time and id, so
 * new entries neither repeat nor skip any.
 */
import type { Row } from '@fulcrum/contract/database';
import { type EntryText, journalLimits } from '@fulcrum/domain';
import {
  fromWire,
  type JournalRow,
  type Position,
  type Supabase,
  unwrap,
  unwrapOrNull,
} from '../../shared/supabase/index.ts';
import { type JournalFilter, type TagCount, tagOperand, textOperand } from './filter.ts';

export const pageRows = 50;
/** Rows of one answer (A100); an index row is small. */
const indexRows = 1_000;
/** A page of whole entries for a file: at most 4 MB. */
const exportRows = 200;

export interface JournalEntry extends JournalRow {
  /** The linked position as of the read. */
  readonly position: Position | null;
}

/** The fields of an entry for counting: this is read for every entry. */
export type IndexedEntry = Pick<JournalRow, 'id' | 'tags' | 'createdAt'>;

type Cursor = Pick<JournalRow, 'id' | 'createdAt'>;

const entryColumns = '*, position:positions(*)';
const newestFirst = { ascending: false } as const;

const afterCursor = ({ createdAt, id }: Cursor): string =>
  `created_at.lt."${createdAt}",and(created_at.eq."${createdAt}",id.lt.${id})`;

type WireEntry = Row<'journal_entries'> & { readonly position: Row<'positions'> | null };

/** Converts an entry and its position to the app's field names. */
const toEntry = ({ position, ...row }: WireEntry): JournalEntry => ({
  ...fromWire(row),
  position: position === null ? null : fromWire(position),
});

interface Page {
  readonly accountId: string;
  readonly filter: JournalFilter;
  /** The tags of the whole journal; a tag is found in every spelling. */
  readonly tags: readonly TagCount[];
  readonly from: Cursor | null;
  readonly rows: number;
}

/** The entries after `from` that match the filter, newest first (CALL-56). */
export async function readPage(
  supabase: Supabase,
  { accountId, filter, tags, from, rows }: Page,
  signal?: AbortSignal,
): Promise<readonly JournalEntry[]> {
  let request = supabase.rest.from('journal_entries').select(entryColumns).eq('user_id', accountId);
  const [text, tag] = [textOperand(filter, tags), tagOperand(filter, tags)];
  if (text !== null) request = request.or(text);
  if (tag !== null) request = request.filter('tags', 'ov', tag);
  if (from !== null) request = request.or(afterCursor(from));
  const page = request.order('created_at', newestFirst).order('id', newestFirst).limit(rows);
  return (await unwrap(signal === undefined ? page : page.abortSignal(signal))).map(toEntry);
}

/** Id and tags of every entry, newest first. */
export async function readIndex(
  supabase: Supabase,
  accountId: string,
  signal: AbortSignal,
): Promise<readonly IndexedEntry[]> {
  const index: IndexedEntry[] = [];
  while (index.length < journalLimits.entries) {
    let request = supabase.rest
      .from('journal_entries')
      .select('id, tags, created_at')
      .eq('user_id', accountId);
    const last = index.at(-1);
    if (last) request = request.or(afterCursor(last));
    const page = request.order('created_at', newestFirst).order('id', newestFirst).limit(indexRows);
    const rows = await unwrap(page.abortSignal(signal));
    index.push(...rows.map(fromWire));
    if (rows.length < indexRows) break;
  }
  return index;
}

/** The whole journal, newest first. */
export async function readAllEntries(
  supabase: Supabase,
  accountId: string,
): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  const all: JournalFilter = { text: '', tag: null };
  while (entries.length < journalLimits.entries) {
    const from = entries.at(-1) ?? null;
    const page = await readPage(supabase, { accountId, filter: all, tags: [], from, rows: exportRows });
    entries.push(...page);
    if (page.length < exportRows) break;
  }
  return entries;
}

/** The entry's present state; null when it no longer exists. */
async function readEntry(supabase: Supabase, accountId: string, id: string): Promise<JournalEntry | null> {
  const request = supabase.rest
    .from('journal_entries')
    .select(entryColumns)
    .eq('user_id', accountId)
    .eq('id', id);
  const row = await unwrapOrNull(request.maybeSingle());
  return row === null ? null : toEntry(row);
}

/** The entry to save; the browser creates its `id`. */
export interface EntryToSave extends EntryText {
  readonly id: string;
  readonly positionId: string | null;
}

const toColumns = ({ title, content, tags, positionId }: EntryToSave) => ({
  title,
  content,
  tags: [...tags],
  position_id: positionId,
});

/** The result of an edit: `changed` carries the state that another edit left. */
export type EditOutcome =
  | { readonly kind: 'saved'; readonly entry: JournalEntry }
  | { readonly kind: 'changed'; readonly entry: JournalEntry }
  | { readonly kind: 'gone' };

/** Changes an entry that is still in the state of `seen`. */
export async function changeEntry(
  supabase: Supabase,
  accountId: string,
  entry: EntryToSave,
  seen: string,
): Promise<EditOutcome> {
  const request = supabase.rest.from('journal_entries').update(toColumns(entry)).eq('user_id', accountId);
  const [row] = await unwrap(request.eq('id', entry.id).eq('updated_at', seen).select(entryColumns));
  if (row) return { kind: 'saved', entry: toEntry(row) };
  const current = await readEntry(supabase, accountId, entry.id);
  if (current === null) return { kind: 'gone' };
  // An edit that is repeated after a lost answer finds its own result.
  return { kind: isSame(entry, current) ? 'saved' : 'changed', entry: current };
}

const isSame = (a: EntryToSave, b: JournalEntry): boolean =>
  JSON.stringify(toColumns(a)) === JSON.stringify(toColumns(b));

/**
 * Saves a new entry (CALL-57, JRNL-09). If one with this id exists, an earlier attempt succeeded with its answer
 * lost; later changes then become an edit of it.
 */
export async function createEntry(
  supabase: Supabase,
  accountId: string,
  entry: EntryToSave,
): Promise<EditOutcome> {
  const row = { id: entry.id, user_id: accountId, ...toColumns(entry), created_at: new Date().toISOString() };
  const once = { onConflict: 'user_id,id', ignoreDuplicates: true } as const;
  const [saved] = await unwrap(supabase.rest.from('journal_entries').upsert(row, once).select(entryColumns));
  if (saved) return { kind: 'saved', entry: toEntry(saved) };
  const earlier = await readEntry(supabase, accountId, entry.id);
  if (earlier === null) return { kind: 'gone' };
  if (isSame(entry, earlier)) return { kind: 'saved', entry: earlier };
  return changeEntry(supabase, accountId, entry, earlier.updatedAt);
}

/** Deletes an entry; one that is already gone counts as success. */
export async function deleteEntry(supabase: Supabase, accountId: string, id: string): Promise<void> {
  await unwrapOrNull(supabase.rest.from('journal_entries').delete().eq('user_id', accountId).eq('id', id));
}
