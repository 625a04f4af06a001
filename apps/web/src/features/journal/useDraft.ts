/**
 * A form's draft: typed into React's state and, a moment later, into this browser's storage. Invariant: what the page is left
 * with is kept, also when it is left within that moment.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
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
  /** Drafts that another tab or an earlier visit left. */
  readonly others: readonly KeptDraft[];
  /** Takes one of them over; what stands in the form is offered in its place. */
  readonly take: (other: KeptDraft) => void;
  readonly discard: (other: KeptDraft) => void;
  /** Saved or thrown away: begins anew with `next`. */
  readonly begin: (next: Draft) => void;
}

export function useDraft(target: Target, blank: Draft): DraftState {
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
  const shown = useRef(draft);
  shown.current = draft;
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
    // Another tab writes under this one's name: it is a copy of it, which carries the same.
    const onStorage = ({ key: changed, newValue }: StorageEvent) => {
      if (changed !== ownKey() || newValue === null) return;
      key.current = draftKey(user.id, target, renameTab());
      const own = forked(shown.current);
      clearTimeout(waiting.current?.timer);
      waiting.current = { timer: setTimeout(write, keptAfterMs), draft: own };
      setDraft(own);
    };
    addEventListener('storage', onStorage);
    addEventListener('pagehide', write);
    return () => {
      removeEventListener('storage', onStorage);
      removeEventListener('pagehide', write);
      write();
    };
  }, [user.id, target, ownKey, write]);

  const put = (next: Draft) => {
    clearTimeout(waiting.current?.timer);
    waiting.current = { timer: setTimeout(write, keptAfterMs), draft: next };
    setDraft(next);
    setKept(false);
  };
  const discard = ({ key: other }: KeptDraft) => {
    forget(other);
    setOthers((all) => all.filter((kept) => kept.key !== other));
  };
  return {
    draft,
    change: (change) => put({ ...draft, ...change }),
    isKept,
    others,
    take: (other) => {
      put(forked(other.draft));
      write();
      if (isSame(draft, untouched.current)) return discard(other);
      const mine: KeptDraft = { key: other.key, draft, savedAt: Date.now() };
      keepDraft(mine.key, mine.draft, mine.savedAt);
      setOthers((all) => all.map((kept) => (kept.key === mine.key ? mine : kept)));
    },
    discard,
    begin: (next) => {
      clearTimeout(waiting.current?.timer);
      waiting.current = null;
      untouched.current = next;
      forget(ownKey());
      setDraft(next);
      setKept(false);
    },
  };
}
