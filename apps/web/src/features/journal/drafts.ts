/**
 * What is being written and not saved yet, kept in this browser per account, entry and tab. Invariant: a tab writes under a
 * name of its own, so two tabs never destroy each other's draft; a draft that another tab or an earlier visit left is offered,
 * not taken. Limits: the latest 20 drafts of an account, none older than 30 days.
 */
import { newClientId, newUuid } from '../../shared/ids/index.ts';
import { forget, keep, kept, keptKeys } from '../../shared/storage/index.ts';

/** As it stands in the form. */
export interface Draft {
  /** Of the entry that a save makes or changes. */
  readonly id: string;
  readonly title: string;
  readonly content: string;
  /** With commas between them. */
  readonly tags: string;
  readonly positionId: string | null;
  /** The state of the entry that an edit began with; null for a new one. */
  readonly seen: string | null;
}

export interface KeptDraft {
  readonly key: string;
  readonly draft: Draft;
  /** ms since the epoch. */
  readonly savedAt: number;
}

/**
 * A draft that two tabs may hold from now on. Of a new entry both would make the same one, and the second save would pass for
 * a repetition of the first and overwrite it; an edit is told from another's by what it saw.
 */
export const forked = (draft: Draft): Draft => (draft.seen === null ? { ...draft, id: newUuid() } : draft);

/** `new`, or the id of the entry that is edited. */
export type Target = string;

const version = 1;
const mostDrafts = 20;
const oldestMs = 30 * 86_400_000;
const prefixOf = (userId: string) => `fulcrum-journal-draft.${userId}.`;
export const draftKey = (userId: string, target: Target, tab: string) =>
  `${prefixOf(userId)}${target}.${tab}`;

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const draft: Partial<Record<keyof Draft, unknown>> = value;
  const texts = [draft.id, draft.title, draft.content, draft.tags];
  return (
    texts.every((text) => typeof text === 'string') &&
    isTextOrNull(draft.positionId) &&
    isTextOrNull(draft.seen)
  );
}

/** The draft under a key; null when there is none or it cannot be read. */
export function readDraft(key: string): KeptDraft | null {
  const text = kept(key);
  if (text === null) return null;
  try {
    const stored: unknown = JSON.parse(text);
    if (typeof stored !== 'object' || stored === null) return null;
    const { version: written, draft, savedAt }: Record<string, unknown> = { ...stored };
    if (written !== version || typeof savedAt !== 'number' || !isDraft(draft)) return null;
    return { key, draft, savedAt };
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

/** Keeps a draft; whether this browser really did. */
export function keepDraft(key: string, draft: Draft, now: number): boolean {
  const text = JSON.stringify({ version, draft, savedAt: now });
  keep(key, text);
  return kept(key) === text;
}

/** Drafts of the same entry that other tabs and earlier visits left, the latest first. */
export function otherDrafts(userId: string, target: Target, own: string): readonly KeptDraft[] {
  return keptKeys(`${prefixOf(userId)}${target}.`)
    .filter((key) => key !== own)
    .flatMap((key) => readDraft(key) ?? [])
    .sort((a, b) => b.savedAt - a.savedAt);
}

/** Drafts of changes to entries that are not among `entryIds`: they were deleted meanwhile. The latest first. */
export function strayDrafts(userId: string, entryIds: ReadonlySet<string>): readonly KeptDraft[] {
  const prefix = prefixOf(userId);
  return keptKeys(prefix)
    .filter((key) => {
      const [target = ''] = key.slice(prefix.length).split('.');
      return target !== 'new' && !entryIds.has(target);
    })
    .flatMap((key) => readDraft(key) ?? [])
    .sort((a, b) => b.savedAt - a.savedAt);
}

/** Forgets what is too old or too much of one account. */
export function tidyDrafts(userId: string, now: number): void {
  const drafts = keptKeys(prefixOf(userId))
    .map((key) => ({ key, savedAt: readDraft(key)?.savedAt ?? 0 }))
    .sort((a, b) => b.savedAt - a.savedAt);
  for (const [index, { key, savedAt }] of drafts.entries()) {
    if (index >= mostDrafts || savedAt < now - oldestMs) forget(key);
  }
}

const tabKey = 'fulcrum-tab';

/** The name of this tab, the same after a reload. A browser that blocks it gives a new one to each page. */
export function tabName(): string {
  try {
    const known = sessionStorage.getItem(tabKey);
    if (known !== null) return known;
    return renameTab();
  } catch (cause) {
    if (cause instanceof DOMException) return newClientId();
    throw cause;
  }
}

/** A name that no other tab has: a tab that was duplicated carries its original's. */
export function renameTab(): string {
  const name = newClientId();
  sessionStorage.setItem(tabKey, name);
  return name;
}
