/**
 * A form's draft: typed into React's state and, a moment later, into this browser's storage. Invariant: what the page is left
 * with is kept, also when it is left within that moment.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { newClientId } from '../../shared/ids/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { forget } from '../../shared/storage/index.ts';
import {
  type Draft,
  draftKey,
  forked,
  type KeptDraft,
  keepDraft,
  otherDrafts,
  readDraft,
  renameTab,
  strayDrafts,
  type Target,
  tabName,
  tidyDrafts,
} from './drafts.ts';

const keptAfterMs = 400;

const isSame = (a: Draft, b: Draft): boolean =>
  a.title === b.title && a.content === b.content && a.tags === b.tags && a.positionId === b.positionId;

export interface DraftState {
  readonly draft: Draft;
  readonly change: (change: Partial<Draft>) => void;
  /** Whether what stands in the form is kept in this browser. */
  readonly isKept: boolean;
  /** Drafts that another tab or an earlier visit left, and changes of entries that were deleted meanwhile. */
  readonly others: readonly KeptDraft[];
  /** Takes one of them over; what stood in the form is then offered in its place. */
  readonly take: (other: KeptDraft) => void;
  readonly discard: (other: KeptDraft) => void;
  /** Begins anew with `next`; what stood in the form is then offered. */
  readonly setAside: (next: Draft) => void;
  /** Thrown away: begins anew with `next`. */
  readonly begin: (next: Draft) => void;
  /**
   * Saved: begins anew with `next`, unless something was typed while the save was under way. That stays in the form, as a
   * change of what was saved. Returns whether it began anew.
   */
  readonly finish: (saved: Draft & { readonly seen: string }, next: Draft) => boolean;
}

/** `entryIds`: of the whole journal, where changes of entries that are gone are to be offered. */
export function useDraft(
  target: Target,
  blank: Draft,
  entryIds: ReadonlySet<string> | null = null,
): DraftState {
  const { user } = useSignedIn();
  const keyNow = () => draftKey(user.id, target, tabName());
  const key = useRef<string | null>(null);
  const ownKey = useCallback((): string => {
    key.current ??= draftKey(user.id, target, tabName());
    return key.current;
  }, [user.id, target]);
  const untouched = useRef(blank);
  const [restored] = useState(() => readDraft(keyNow()));
  const [draft, setDraft] = useState(restored?.draft ?? blank);
  /** What stands in the form, also for an answer that comes after the render in which it was asked for. */
  const current = useRef(draft);
  const [isKept, setKept] = useState(restored !== null);
  const [others, setOthers] = useState(() => otherDrafts(user.id, target, keyNow()));
  const waiting = useRef<{ readonly timer: ReturnType<typeof setTimeout>; readonly draft: Draft } | null>(
    null,
  );

  const write = useCallback(() => {
    const next = waiting.current?.draft;
    if (next === undefined) return;
    clearTimeout(waiting.current?.timer);
    waiting.current = null;
    if (isSame(next, untouched.current)) {
      forget(ownKey());
      setKept(false);
    } else setKept(keepDraft(ownKey(), next, Date.now()));
  }, [ownKey]);

  useEffect(() => {
    tidyDrafts(user.id, Date.now());
    // Another tab writes under this one's name, which it does as a copy of it, or takes this one's draft away: what stands
    // here is kept all the same.
    const onStorage = ({ key: changed, newValue }: StorageEvent) => {
      if (changed !== ownKey()) return;
      if (newValue !== null) {
        key.current = draftKey(user.id, target, renameTab());
        current.current = forked(current.current);
        setDraft(current.current);
      }
      if (!isSame(current.current, untouched.current)) {
        setKept(keepDraft(ownKey(), current.current, Date.now()));
      }
    };
    addEventListener('storage', onStorage);
    addEventListener('pagehide', write);
    return () => {
      removeEventListener('storage', onStorage);
      removeEventListener('pagehide', write);
      write();
    };
  }, [user.id, target, ownKey, write]);

  useEffect(() => {
    if (entryIds === null) return;
    const strays = strayDrafts(user.id, entryIds);
    setOthers([...otherDrafts(user.id, target, ownKey()), ...strays]);
  }, [entryIds, user.id, target, ownKey]);

  const put = (next: Draft) => {
    clearTimeout(waiting.current?.timer);
    waiting.current = { timer: setTimeout(write, keptAfterMs), draft: next };
    current.current = next;
    setDraft(next);
    setKept(false);
  };
  const begin = (next: Draft) => {
    clearTimeout(waiting.current?.timer);
    waiting.current = null;
    untouched.current = next;
    current.current = next;
    forget(ownKey());
    setDraft(next);
    setKept(false);
  };
  /** Keeps what stands in the form under another name, to be offered. */
  const leaveCurrent = (): readonly KeptDraft[] => {
    if (isSame(current.current, untouched.current)) return [];
    const left = {
      key: draftKey(user.id, target, newClientId()),
      draft: current.current,
      savedAt: Date.now(),
    };
    keepDraft(left.key, left.draft, left.savedAt);
    return [left];
  };
  const discard = ({ key: other }: KeptDraft) => {
    forget(other);
    setOthers((all) => all.filter((kept) => kept.key !== other));
  };
  return {
    draft,
    change: (change) => put({ ...current.current, ...change }),
    isKept,
    others,
    take: (other) => {
      const left = leaveCurrent();
      const isStray = !other.key.startsWith(draftKey(user.id, target, ''));
      put(isStray ? forked({ ...other.draft, seen: null }) : forked(other.draft));
      write();
      discard(other);
      setOthers((all) => [...left, ...all]);
    },
    discard,
    setAside: (next) => {
      const left = leaveCurrent();
      begin(next);
      setOthers((all) => [...left, ...all]);
    },
    begin,
    finish: (saved, next) => {
      if (isSame(current.current, saved)) {
        begin(next);
        return true;
      }
      untouched.current = saved;
      put({ ...current.current, id: saved.id, seen: saved.seen });
      return false;
    },
  };
}
