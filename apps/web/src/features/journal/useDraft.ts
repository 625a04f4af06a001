/**
 * A form's draft: kept in React's state and, a moment later, in this browser's storage. Invariant: leaving the page
 * stores the latest input, also within that moment.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { newClientId } from '../../shared/ids/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { removeStored } from '../../shared/storage/index.ts';
import {
  type Draft,
  deleteOldDrafts,
  findOrphanedDrafts,
  findOtherDrafts,
  getTabName,
  readDraft,
  renameTab,
  type StoredDraft,
  storeDraft,
  type Target,
  toDraftKey,
  withOwnId,
} from './drafts.ts';

const storeDelayMs = 400;

const isSame = (a: Draft, b: Draft): boolean =>
  a.title === b.title && a.content === b.content && a.tags === b.tags && a.positionId === b.positionId;

export interface DraftState {
  readonly draft: Draft;
  readonly change: (change: Partial<Draft>) => void;
  /** Whether the form's content is stored in this browser. */
  readonly isStored: boolean;
  /** Drafts of other tabs or earlier visits, and edits of entries that were deleted meanwhile. */
  readonly others: readonly StoredDraft[];
  /** Takes over one of them; the form's previous content is then offered in its place. */
  readonly adopt: (other: StoredDraft) => void;
  readonly discard: (other: StoredDraft) => void;
  /** Starts with `next`; the form's previous content is then offered. */
  readonly setAside: (next: Draft) => void;
  /** Discards the content and starts with `next`. */
  readonly begin: (next: Draft) => void;
  /**
   * After a save: starts with `next`, unless the user typed during the save. That input stays in the form, as an edit
   * of the saved entry. Returns whether it started with `next`.
   */
  readonly finish: (saved: Draft & { readonly seen: string }, next: Draft) => boolean;
}

/** `entryIds` of the whole journal, where edits of deleted entries are to be offered. */
export function useDraft(
  target: Target,
  blank: Draft,
  entryIds: ReadonlySet<string> | null = null,
): DraftState {
  const { accountId } = useSignedIn();
  const getKey = () => toDraftKey(accountId, target, getTabName());
  const key = useRef<string | null>(null);
  const ownKey = useCallback((): string => {
    key.current ??= toDraftKey(accountId, target, getTabName());
    return key.current;
  }, [accountId, target]);
  const untouched = useRef(blank);
  const [restored] = useState(() => readDraft(getKey()));
  const [draft, setDraft] = useState(restored?.draft ?? blank);
  /** The form's present content, for answers that arrive after the requesting render. */
  const current = useRef(draft);
  const [isStored, setStored] = useState(restored !== null);
  const [others, setOthers] = useState(() => findOtherDrafts(accountId, target, getKey()));
  const waiting = useRef<{ readonly timer: ReturnType<typeof setTimeout>; readonly draft: Draft } | null>(
    null,
  );

  const write = useCallback(() => {
    const next = waiting.current?.draft;
    if (next === undefined) return;
    clearTimeout(waiting.current?.timer);
    waiting.current = null;
    if (isSame(next, untouched.current)) {
      removeStored(ownKey());
      setStored(false);
    } else setStored(storeDraft(ownKey(), next, Date.now()));
  }, [ownKey]);

  useEffect(() => {
    deleteOldDrafts(accountId, Date.now());
    // A duplicated tab writes under this tab's name, or another tab removes this draft: the content is stored under a
    // new name.
    const onStorage = ({ key: changed, newValue }: StorageEvent) => {
      if (changed !== ownKey()) return;
      if (newValue !== null) {
        key.current = toDraftKey(accountId, target, renameTab());
        current.current = withOwnId(current.current);
        setDraft(current.current);
      }
      if (!isSame(current.current, untouched.current)) {
        setStored(storeDraft(ownKey(), current.current, Date.now()));
      }
    };
    addEventListener('storage', onStorage);
    addEventListener('pagehide', write);
    return () => {
      removeEventListener('storage', onStorage);
      removeEventListener('pagehide', write);
      write();
    };
  }, [accountId, target, ownKey, write]);

  useEffect(() => {
    if (entryIds === null) return;
    const orphaned = findOrphanedDrafts(accountId, entryIds);
    setOthers([...findOtherDrafts(accountId, target, ownKey()), ...orphaned]);
  }, [entryIds, accountId, target, ownKey]);

  const update = (next: Draft) => {
    clearTimeout(waiting.current?.timer);
    waiting.current = { timer: setTimeout(write, storeDelayMs), draft: next };
    current.current = next;
    setDraft(next);
    setStored(false);
  };
  const begin = (next: Draft) => {
    clearTimeout(waiting.current?.timer);
    waiting.current = null;
    untouched.current = next;
    current.current = next;
    removeStored(ownKey());
    setDraft(next);
    setStored(false);
  };
  /** Stores the form's content under another name, to be offered. */
  const setCurrentAside = (): readonly StoredDraft[] => {
    if (isSame(current.current, untouched.current)) return [];
    const leftDrafts = {
      key: toDraftKey(accountId, target, newClientId()),
      draft: current.current,
      savedAt: Date.now(),
    };
    storeDraft(leftDrafts.key, leftDrafts.draft, leftDrafts.savedAt);
    return [leftDrafts];
  };
  const discard = ({ key: other }: StoredDraft) => {
    removeStored(other);
    setOthers((all) => all.filter((draftItem) => draftItem.key !== other));
  };
  return {
    draft,
    change: (change) => update({ ...current.current, ...change }),
    isStored,
    others,
    adopt: (other) => {
      const leftDrafts = setCurrentAside();
      const isOrphaned = !other.key.startsWith(toDraftKey(accountId, target, ''));
      update(isOrphaned ? withOwnId({ ...other.draft, seen: null }) : withOwnId(other.draft));
      write();
      discard(other);
      setOthers((all) => [...leftDrafts, ...all]);
    },
    discard,
    setAside: (next) => {
      const leftDrafts = setCurrentAside();
      begin(next);
      setOthers((all) => [...leftDrafts, ...all]);
    },
    begin,
    finish: (saved, next) => {
      if (isSame(current.current, saved)) {
        begin(next);
        return true;
      }
      untouched.current = saved;
      update({ ...current.current, id: saved.id, seen: saved.seen });
      return false;
    },
  };
}
