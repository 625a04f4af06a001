/**
 * Unsaved entries, stored in this browser per account, entry and tab. Invariant: each tab writes under its own name,
 * so two tabs never destroy each other's draft. A draft of another tab or an earlier visit is offered, not taken
 * over. Limits: the latest 20 drafts of an account, none older than 30 days.
 */
import { dayMs } from '@fulcrum/domain';
import { newClientId, newUuid } from '../../shared/ids/index.ts';
import { parseJson } from '../../shared/json/parse-json.ts';
import { getStored, getStoredKeys, removeStored, setStored } from '../../shared/storage/index.ts';

/** The fields as typed. */
export interface Draft {
  /** The id of the entry that a save creates or changes. */
  readonly id: string;
  readonly title: string;
  readonly content: string;
  /** Separated by commas. */
  readonly tags: string;
  readonly positionId: string | null;
  /** The version of the entry that the edit started from; null for a new one. */
  readonly seen: string | null;
}

export interface StoredDraft {
  readonly key: string;
  readonly draft: Draft;
  /** ms since the epoch. */
  readonly savedAt: number;
}

/**
 * A draft for two tabs, with a new id if it is a new entry. With one id both would create the same entry, and the
 * second save would overwrite the first as a repeat. An edit is distinguished by the version it saw.
 */
export const withOwnId = (draft: Draft): Draft => (draft.seen === null ? { ...draft, id: newUuid() } : draft);

/** `new`, or the id of the edited entry. */
export type Target = string;

const version = 1;
const draftsMax = 20;
const maxAgeMs = 30 * dayMs;
const getKeyPrefix = (accountId: string) => `fulcrum-journal-draft.${accountId}.`;
export const toDraftKey = (accountId: string, target: Target, tab: string) =>
  `${getKeyPrefix(accountId)}${target}.${tab}`;

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

/** The draft under a key; null when there is none or it is not readable. */
export function readDraft(key: string): StoredDraft | null {
  const stored = parseJson(getStored(key));
  if (typeof stored !== 'object' || stored === null) return null;
  const { version: storedVersion, draft, savedAt }: Record<string, unknown> = { ...stored };
  if (storedVersion !== version || typeof savedAt !== 'number' || !isDraft(draft)) return null;
  return { key, draft, savedAt };
}

/** Stores a draft; returns whether this browser stored it. */
export function storeDraft(key: string, draft: Draft, now: number): boolean {
  const text = JSON.stringify({ version, draft, savedAt: now });
  setStored(key, text);
  return getStored(key) === text;
}

/** Drafts of the same entry from other tabs and earlier visits, the latest first. */
export function findOtherDrafts(accountId: string, target: Target, own: string): readonly StoredDraft[] {
  return getStoredKeys(`${getKeyPrefix(accountId)}${target}.`)
    .filter((key) => key !== own)
    .flatMap((key) => readDraft(key) ?? [])
    .sort((a, b) => b.savedAt - a.savedAt);
}

/** Drafts of edits whose entries are not among `entryIds`, because they were deleted. The latest first. */
export function findOrphanedDrafts(accountId: string, entryIds: ReadonlySet<string>): readonly StoredDraft[] {
  const prefix = getKeyPrefix(accountId);
  return getStoredKeys(prefix)
    .filter((key) => {
      const [target = ''] = key.slice(prefix.length).split('.');
      return target !== 'new' && !entryIds.has(target);
    })
    .flatMap((key) => readDraft(key) ?? [])
    .sort((a, b) => b.savedAt - a.savedAt);
}

/** Deletes drafts beyond the age and number limits of one account. */
export function deleteOldDrafts(accountId: string, now: number): void {
  const drafts = getStoredKeys(getKeyPrefix(accountId))
    .map((key) => ({ key, savedAt: readDraft(key)?.savedAt ?? 0 }))
    .sort((a, b) => b.savedAt - a.savedAt);
  for (const [index, { key, savedAt }] of drafts.entries()) {
    if (index >= draftsMax || savedAt < now - maxAgeMs) removeStored(key);
  }
}

const tabKey = 'fulcrum-tab';

/** The name of this tab, the same after a reload. With blocked storage each page gets a new one. */
export function getTabName(): string {
  try {
    const known = sessionStorage.getItem(tabKey);
    if (known !== null) return known;
    return renameTab();
  } catch (cause) {
    if (cause instanceof DOMException) return newClientId();
    throw cause;
  }
}

/** Gives this tab a unique name: a duplicated tab carries its original's. */
export function renameTab(): string {
  const name = newClientId();
  sessionStorage.setItem(tabKey, name);
  return name;
}
