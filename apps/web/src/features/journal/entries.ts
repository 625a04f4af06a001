/**
 * The journal's requests. Invariants: a save names the entry's own id, so that one whose answer was lost may be repeated; an
 * edit names the `updatedAt` that it saw, so that it overwrites no other one. Pages are cut by time and id: what is written
 * meanwhile neither repeats nor skips an entry.
 */
import type { Row } from '@fulcrum/contract/database';
import { type EntryText, journalLimits } from '@fulcrum/domain';
import {
  answerOf,
  fromWire,
  type JournalRow,
  type Position,
  rowsOf,
  type Supabase,
} from '../../shared/supabase/index.ts';
import { type JournalFilter, type TagCount, tagOperand, textOperand } from './filter.ts';

export const pageRows = 50;
/** Rows of one answer (A100); an index row is small. */
const indexRows = 1_000;
/** A page of whole entries for a file: at the most 4 MB. */
const exportRows = 200;

export interface JournalEntry extends JournalRow {
  /** The linked position as it was when it was read. */
  readonly position: Position | null;
}

/** What is left of an entry for counting: every one of them is read. */
export type IndexedEntry = Pick<JournalRow, 'id' | 'tags' | 'createdAt'>;

type Cursor = Pick<JournalRow, 'id' | 'createdAt'>;

const whole = '*, position:positions(*)';
const newestFirst = { ascending: false } as const;

const after = ({ createdAt, id }: Cursor): string =>
  `created_at.lt."${createdAt}",and(created_at.eq."${createdAt}",id.lt.${id})`;

type WireEntry = Row<'journal_entries'> & { readonly position: Row<'positions'> | null };

/** An entry and its position in the app's words. */
const entryOf = ({ position, ...row }: WireEntry): JournalEntry => ({
  ...fromWire(row),
  position: position === null ? null : fromWire(position),
});

interface Page {
  readonly userId: string;
  readonly filter: JournalFilter;
  /** Of the whole journal: a tag is found in every spelling. */
  readonly tags: readonly TagCount[];
  readonly from: Cursor | null;
  readonly rows: number;
}

/** The entries after `from` that the filter lets through, newest first (CALL-56). */
export async function readPage(
  supabase: Supabase,
  { userId, filter, tags, from, rows }: Page,
  signal?: AbortSignal,
): Promise<readonly JournalEntry[]> {
  let request = supabase.rest.from('journal_entries').select(whole).eq('user_id', userId);
  const [text, tag] = [textOperand(filter, tags), tagOperand(filter, tags)];
  if (text !== null) request = request.or(text);
  if (tag !== null) request = request.filter('tags', 'ov', tag);
  if (from !== null) request = request.or(after(from));
  const page = request.order('created_at', newestFirst).order('id', newestFirst).limit(rows);
  return (await rowsOf(signal === undefined ? page : page.abortSignal(signal))).map(entryOf);
}

/** Id and tags of every entry, newest first. */
export async function readIndex(
  supabase: Supabase,
  userId: string,
  signal: AbortSignal,
): Promise<readonly IndexedEntry[]> {
  const index: IndexedEntry[] = [];
  while (index.length < journalLimits.entries) {
    let request = supabase.rest.from('journal_entries').select('id, tags, created_at').eq('user_id', userId);
    const last = index.at(-1);
    if (last) request = request.or(after(last));
    const page = request.order('created_at', newestFirst).order('id', newestFirst).limit(indexRows);
    const rows = await rowsOf(page.abortSignal(signal));
    index.push(...rows.map(fromWire));
    if (rows.length < indexRows) break;
  }
  return index;
}

/** The whole journal, newest first. */
export async function readWhole(supabase: Supabase, userId: string): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  const all: JournalFilter = { text: '', tag: null };
  while (entries.length < journalLimits.entries) {
    const from = entries.at(-1) ?? null;
    const page = await readPage(supabase, { userId, filter: all, tags: [], from, rows: exportRows });
    entries.push(...page);
    if (page.length < exportRows) break;
  }
  return entries;
}

/** One entry as it is now; null when it is not there any more. */
async function readEntry(supabase: Supabase, userId: string, id: string): Promise<JournalEntry | null> {
  const request = supabase.rest.from('journal_entries').select(whole).eq('user_id', userId).eq('id', id);
  const row = await answerOf(request.maybeSingle());
  return row === null ? null : entryOf(row);
}

/** An entry as it is to be; `id` is the browser's. */
export interface EntryToSave extends EntryText {
  readonly id: string;
  readonly positionId: string | null;
}

const columnsOf = ({ title, content, tags, positionId }: EntryToSave) => ({
  title,
  content,
  tags: [...tags],
  position_id: positionId,
});

/** What became of an edit: `changed` meanwhile comes with the other state. */
export type EditOutcome =
  | { readonly kind: 'saved'; readonly entry: JournalEntry }
  | { readonly kind: 'changed'; readonly entry: JournalEntry }
  | { readonly kind: 'gone' };

/** Changes an entry that is still as it was at `seen`. */
export async function changeEntry(
  supabase: Supabase,
  userId: string,
  entry: EntryToSave,
  seen: string,
): Promise<EditOutcome> {
  const request = supabase.rest.from('journal_entries').update(columnsOf(entry)).eq('user_id', userId);
  const [row] = await rowsOf(request.eq('id', entry.id).eq('updated_at', seen).select(whole));
  if (row) return { kind: 'saved', entry: entryOf(row) };
  const current = await readEntry(supabase, userId, entry.id);
  if (current === null) return { kind: 'gone' };
  // An edit whose answer was lost and that is sent again finds what it wrote itself.
  return { kind: isSame(entry, current) ? 'saved' : 'changed', entry: current };
}

const isSame = (a: EntryToSave, b: JournalEntry): boolean =>
  JSON.stringify(columnsOf(a)) === JSON.stringify(columnsOf(b));

/**
 * Saves a new entry (CALL-57, JRNL-09). When one with this id is there already, the answer to an earlier attempt was lost: what
 * was changed since becomes an edit of it.
 */
export async function createEntry(
  supabase: Supabase,
  userId: string,
  entry: EntryToSave,
): Promise<EditOutcome> {
  const row = { id: entry.id, user_id: userId, ...columnsOf(entry), created_at: new Date().toISOString() };
  const once = { onConflict: 'user_id,id', ignoreDuplicates: true } as const;
  const [saved] = await rowsOf(supabase.rest.from('journal_entries').upsert(row, once).select(whole));
  if (saved) return { kind: 'saved', entry: entryOf(saved) };
  const earlier = await readEntry(supabase, userId, entry.id);
  if (earlier === null) return { kind: 'gone' };
  if (isSame(entry, earlier)) return { kind: 'saved', entry: earlier };
  return changeEntry(supabase, userId, entry, earlier.updatedAt);
}

/** Deletes it; one that is gone already is as good. */
export async function deleteEntry(supabase: Supabase, userId: string, id: string): Promise<void> {
  await answerOf(supabase.rest.from('journal_entries').delete().eq('user_id', userId).eq('id', id));
}
