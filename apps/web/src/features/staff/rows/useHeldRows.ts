/**
 * Rows that stay where they are while somebody points at them. Invariants: while they are held none comes, goes or moves;
 * what changed within one is shown in its place; how many came or went is told. Another page or filter (`scope`) is shown
 * at once, because it was asked for.
 */
import { type FocusEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';

export interface Identified {
  readonly id: string | number;
}

interface Held<Row> {
  readonly scope: string;
  readonly rows: readonly Row[];
}

export interface HeldRows<Row> {
  readonly rows: readonly Row[] | undefined;
  /** How many came or went since. */
  readonly waiting: number;
  /** Shows them as they are now. */
  readonly show: () => void;
}

export function useHeldRows<Row extends Identified>(
  current: readonly Row[] | undefined,
  scope: string,
  isHeld: boolean,
): HeldRows<Row> {
  const [held, setHeld] = useState<Held<Row> | null>(null);
  useEffect(() => {
    if (!isHeld) setHeld(null);
    else if (current && held?.scope !== scope) setHeld({ scope, rows: current });
  }, [isHeld, current, held, scope]);
  const show = useCallback(() => setHeld(current ? { scope, rows: current } : null), [current, scope]);
  const frozen = isHeld && held !== null && held.scope === scope ? held.rows : null;
  const rows = useMemo(() => (frozen && current ? inPlace(frozen, current) : current), [frozen, current]);
  return { rows, waiting: frozen && current ? differing(frozen, current) : 0, show };
}

/** `rows` in their order, each as it is in `current` where it still is there. */
export function inPlace<Row extends Identified>(
  rows: readonly Row[],
  current: readonly Row[],
): readonly Row[] {
  const byId = new Map(current.map((row) => [row.id, row]));
  return rows.map((row) => byId.get(row.id) ?? row);
}

/** How many are in one of them only. */
export function differing(before: readonly Identified[], after: readonly Identified[]): number {
  const had = new Set(before.map(({ id }) => id));
  const has = new Set(after.map(({ id }) => id));
  return after.filter(({ id }) => !had.has(id)).length + before.filter(({ id }) => !has.has(id)).length;
}

const isInLayer = (place: EventTarget | null): boolean =>
  place instanceof Element && place.closest('[role=dialog], [role=menu]') !== null;

/** Whether the pointer or the focus is inside; a dialog or menu that was opened from there counts as inside. */
export function useHold() {
  const place = useRef<HTMLDivElement>(null);
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isHeld = isPointed || isFocused;
  // A row or menu that goes away beneath the pointer, or with the focus, leaves without a word: seen elsewhere counts as well.
  useEffect(() => {
    if (!isHeld) return;
    const isElsewhere = ({ target }: Event) =>
      target instanceof Node && !place.current?.contains(target) && !isInLayer(target);
    const onOver = (event: Event) => isElsewhere(event) && setPointed(false);
    const onFocusIn = (event: Event) => isElsewhere(event) && setFocused(false);
    document.addEventListener('pointerover', onOver);
    document.addEventListener('focusin', onFocusIn);
    return () => {
      document.removeEventListener('pointerover', onOver);
      document.removeEventListener('focusin', onFocusIn);
    };
  }, [isHeld]);
  return {
    isHeld,
    /** Of the element that holds the rows. */
    handlers: {
      ref: place,
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: ({ relatedTarget }: FocusEvent) => {
        if (!isInLayer(relatedTarget)) setFocused(false);
      },
    },
  } as const;
}
