/**
 * Freezes rows while the pointer is over them. Invariants: while frozen, no row appears, disappears or moves; changes within a
 * row show in place; the number of added and removed rows is reported. Another page or filter (`scope`) shows at once, because
 * the user requested it, and so do the first rows of an empty list, because nothing moves. Where `isOpenBelow`, neither do rows
 * that are added only beneath.
 */
import { type FocusEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';

export interface Identified {
  readonly id: string | number;
}

interface Snapshot<Row> {
  readonly scope: string;
  readonly rows: readonly Row[];
}

export interface FrozenRows<Row> {
  readonly rows: readonly Row[] | undefined;
  /** The number of rows added or removed since. */
  readonly waiting: number;
  /** Shows the current rows. */
  readonly show: () => void;
}

export function useFrozenRows<Row extends Identified>(
  current: readonly Row[] | undefined,
  scope: string,
  isFrozen: boolean,
  { isOpenBelow = false }: { readonly isOpenBelow?: boolean } = {},
): FrozenRows<Row> {
  const [snapshot, setSnapshot] = useState<Snapshot<Row> | null>(null);
  const isSuperseded =
    snapshot === null ||
    snapshot.scope !== scope ||
    (isOpenBelow && current !== undefined && isExtended(snapshot.rows, current));
  useEffect(() => {
    if (!isFrozen) setSnapshot(null);
    else if (current && current.length > 0 && isSuperseded) setSnapshot({ scope, rows: current });
  }, [isFrozen, current, isSuperseded, scope]);
  const show = useCallback(() => setSnapshot(current ? { scope, rows: current } : null), [current, scope]);
  const frozen = isFrozen && !isSuperseded ? snapshot.rows : null;
  const rows = useMemo(() => (frozen && current ? refreshRows(frozen, current) : current), [frozen, current]);
  return { rows, waiting: frozen && current ? countDifferences(frozen, current) : 0, show };
}

/** Whether `after` is `before` with rows added beneath, and nothing else. */
export const isExtended = (before: readonly Identified[], after: readonly Identified[]): boolean =>
  after.length > before.length && before.every(({ id }, index) => after[index]?.id === id);

/** `rows` in their order, each replaced by its version in `current` if it is there. */
export function refreshRows<Row extends Identified>(
  rows: readonly Row[],
  current: readonly Row[],
): readonly Row[] {
  const byId = new Map(current.map((row) => [row.id, row]));
  return rows.map((row) => byId.get(row.id) ?? row);
}

/** The number of rows that are in only one of the lists. */
export function countDifferences(before: readonly Identified[], after: readonly Identified[]): number {
  const had = new Set(before.map(({ id }) => id));
  const has = new Set(after.map(({ id }) => id));
  return after.filter(({ id }) => !had.has(id)).length + before.filter(({ id }) => !has.has(id)).length;
}

const isInOverlay = (container: EventTarget | null): boolean =>
  container instanceof Element && container.closest('[role=dialog], [role=menu]') !== null;

/** Whether the pointer or the focus is inside; a dialog or menu opened from there counts as inside. */
export function useRowFreeze() {
  const container = useRef<HTMLDivElement>(null);
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isFrozen = isPointed || isFocused;
  // A row or menu that is removed under the pointer, or with the focus, fires no leave event: an event elsewhere counts, too.
  useEffect(() => {
    if (!isFrozen) return;
    const isElsewhere = ({ target }: Event) =>
      target instanceof Node && !container.current?.contains(target) && !isInOverlay(target);
    const onOver = (event: Event) => isElsewhere(event) && setPointed(false);
    const onFocusIn = (event: Event) => isElsewhere(event) && setFocused(false);
    document.addEventListener('pointerover', onOver);
    document.addEventListener('focusin', onFocusIn);
    return () => {
      document.removeEventListener('pointerover', onOver);
      document.removeEventListener('focusin', onFocusIn);
    };
  }, [isFrozen]);
  return {
    isFrozen,
    /** For the element that contains the rows. */
    handlers: {
      ref: container,
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: ({ relatedTarget }: FocusEvent) => {
        if (!isInOverlay(relatedTarget)) setFocused(false);
      },
    },
  } as const;
}
export type RowFreeze = ReturnType<typeof useRowFreeze>;
