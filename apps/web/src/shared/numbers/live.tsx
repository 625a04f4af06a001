/**
 * A live figure. It subscribes to its source and writes its own text node, so that ticks cause no React render; the changed
 * digits of a price flash in the colour of the move. Invariant: between mount and unmount the element shows the source's latest
 * value.
 */
import { useCallback, useLayoutEffect, useRef } from 'react';
import {
  commonPrefixLength,
  type Direction,
  directionOf,
  formatPrice,
  noFigure,
  usdtDecimals,
} from './format.ts';

/** A value outside React. `subscribe` calls back after each change and returns a function that unsubscribes. */
export interface LiveSource {
  readonly get: () => number | null | undefined;
  readonly subscribe: (changedPart: () => void) => () => void;
}

interface LiveFigureProps {
  readonly source: LiveSource;
  /** One of the formats of format.ts; must be stable (a module function or memoised). */
  readonly format: (value: number | null | undefined) => string;
  /** A shorter form of the text, stable too; the whole text is then the tooltip. */
  readonly shorten?: (text: string) => string;
  /**
   * `move` uses the colour of the last tick, `sign` that of the figure; `change` is like `sign` with zero as up (TRADE-10);
   * `none` has no colour.
   */
  readonly colour?: 'move' | 'sign' | 'change' | 'none';
  /** The decimals for the sign of a `sign` or `change` figure that is no money amount. */
  readonly decimals?: number;
  /** Whether changes flash. Prices flash; estimates and figures coloured by sign do not. */
  readonly flashes?: boolean;
  /**
   * Whether a tint behind the figure marks a step: what another source changed, such as a fill, a close or a deposit. Ticks are
   * no steps. There is none with reduced motion.
   */
  readonly marksSteps?: boolean;
  readonly className?: string;
}

const flashMs = 300;
const stepMs = 600;

/**
 * The flashing elements and their end times. Figures that change together end together, with one timer and one style change: a
 * fade would repaint the page, chart canvases included, sixty times a second.
 */
const flashUntil = new Map<HTMLElement, number>();
let resetTimer: ReturnType<typeof setTimeout> | undefined;

function resetFlashes(): void {
  const now = performance.now();
  for (const [element, until] of flashUntil) {
    if (until > now) continue;
    element.style.color = '';
    element.style.backgroundColor = '';
    flashUntil.delete(element);
  }
  const soonest = Math.min(...flashUntil.values());
  resetTimer = Number.isFinite(soonest) ? setTimeout(resetFlashes, soonest - now) : undefined;
}

function resetAfter(element: HTMLElement, ms: number): void {
  flashUntil.set(element, performance.now() + ms);
  if (resetTimer === undefined) resetTimer = setTimeout(resetFlashes, ms);
}

function flash(element: HTMLElement, direction: Direction): void {
  if (direction === 'none') return;
  element.style.color = `var(--${direction})`;
  resetAfter(element, flashMs);
}

function markStep(element: HTMLElement, direction: Direction): void {
  if (direction === 'none' || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  element.style.backgroundColor = `var(--${direction}-weak)`;
  resetAfter(element, stepMs);
}

function getTone(
  colour: LiveFigureProps['colour'],
  value: number | null | undefined,
  move: Direction,
  decimals: number,
): Direction {
  if (colour === 'move') return move;
  if (colour === 'none' || value === null || value === undefined) return 'none';
  const sign = directionOf(value, decimals);
  return colour === 'change' && sign === 'none' ? 'up' : sign;
}

/** The stable format of a live price. */
export function usePriceFormat(tickSize: number): LiveFigureProps['format'] {
  return useCallback((value) => formatPrice(value, tickSize), [tickSize]);
}

export function LiveFigure({
  source,
  format,
  shorten,
  colour = 'none',
  decimals = usdtDecimals,
  flashes = colour === 'move' || colour === 'none',
  marksSteps = false,
  className = '',
}: LiveFigureProps) {
  const root = useRef<HTMLSpanElement>(null);
  const unchangedPart = useRef<HTMLSpanElement>(null);
  const changedPart = useRef<HTMLSpanElement>(null);
  /** The value of the source before. */
  const before = useRef<number | null | undefined>(undefined);

  useLayoutEffect(() => {
    const [rootElement, head, tail] = [root.current, unchangedPart.current, changedPart.current];
    if (!rootElement || !head || !tail) return;
    let shown: number | null | undefined;
    // Nothing written yet: text of another source is replaced even by an empty text.
    let text: string | null = null;
    const write = () => {
      const value = source.get();
      const full = format(value);
      const next = shorten ? shorten(full) : full;
      const move = directionOf((value ?? 0) - (shown ?? value ?? 0), 8);
      shown = value;
      const tone = getTone(colour, value, move, decimals);
      // An unchanged price keeps the colour of its last move.
      if ((colour !== 'move' || tone !== 'none') && rootElement.dataset.direction !== tone) {
        rootElement.dataset.direction = tone;
      }
      if (next === text) return;
      if (shorten) rootElement.title = next === full ? '' : full;
      const prefixLength = text === null ? next.length : commonPrefixLength(text, next);
      head.textContent = next.slice(0, prefixLength);
      tail.textContent = next.slice(prefixLength);
      if (flashes && text !== null && next !== noFigure) flash(tail, move);
      text = next;
    };
    write();
    if (marksSteps)
      markStep(rootElement, directionOf((shown ?? 0) - (before.current ?? shown ?? 0), decimals));
    const unsubscribe = source.subscribe(write);
    return () => {
      before.current = shown;
      unsubscribe();
    };
  }, [source, format, shorten, colour, decimals, flashes, marksSteps]);

  return (
    <span
      ref={root}
      className={`figures rounded-badge whitespace-nowrap data-[direction=down]:text-down data-[direction=up]:text-up ${className}`}
    >
      <span ref={unchangedPart} />
      <span ref={changedPart} />
    </span>
  );
}
