/**
 * A figure that ticks. It subscribes to its source and writes its own text node, so a thousand ticks cost no React
 * render; the changed digits of a price flash in the colour of the move and return. Invariant: between mount and unmount the
 * element shows the source's latest value.
 */
import { useLayoutEffect, useRef } from 'react';
import { type Direction, directionOf, noFigure, unchangedLength, usdtDecimals } from './format.ts';

/** A value outside React. `subscribe` calls back after each change and returns the way to stop. */
export interface LiveSource {
  readonly get: () => number | null | undefined;
  readonly subscribe: (changed: () => void) => () => void;
}

interface LiveFigureProps {
  readonly source: LiveSource;
  /** One of the formats of format.ts; has to be stable (a module function or memoised). */
  readonly format: (value: number | null | undefined) => string;
  /**
   * `move` takes the colour of the last tick, `sign` that of the figure itself, `change` too but with zero as up
   * (TRADE-10), `none` has no colour of its own.
   */
  readonly colour?: 'move' | 'sign' | 'change' | 'none';
  /** Where the figure is rounded, for a `sign` or `change` that is no sum of money. */
  readonly decimals?: number;
  /** Prices flash; estimates do not, nor what is coloured by its sign: it would wear two colours at once. */
  readonly flashes?: boolean;
  readonly className?: string;
}

const flashMs = 300;

/**
 * What flashes, and until when. Figures that change together return together, by one timer and one change of style: a fade
 * would have the page painted sixty times a second for as long as prices move, its charts' canvases included.
 */
const flashing = new Map<HTMLElement, number>();
let returning: ReturnType<typeof setTimeout> | undefined;

function returnFlashed(): void {
  const now = performance.now();
  for (const [element, until] of flashing) {
    if (until > now) continue;
    element.style.color = '';
    flashing.delete(element);
  }
  const soonest = Math.min(...flashing.values());
  returning = Number.isFinite(soonest) ? setTimeout(returnFlashed, soonest - now) : undefined;
}

function flash(element: HTMLElement, direction: Direction): void {
  if (direction === 'none') return;
  element.style.color = `var(--${direction})`;
  flashing.set(element, performance.now() + flashMs);
  if (returning === undefined) returning = setTimeout(returnFlashed, flashMs);
}

function toneOf(
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

export function LiveFigure({
  source,
  format,
  colour = 'none',
  decimals = usdtDecimals,
  flashes = colour === 'move' || colour === 'none',
  className = '',
}: LiveFigureProps) {
  const root = useRef<HTMLSpanElement>(null);
  const kept = useRef<HTMLSpanElement>(null);
  const changed = useRef<HTMLSpanElement>(null);

  useLayoutEffect(() => {
    const [whole, head, tail] = [root.current, kept.current, changed.current];
    if (!whole || !head || !tail) return;
    let shown: number | null | undefined;
    // Nothing written yet: what another source left behind is replaced even by an empty text.
    let text: string | null = null;
    const write = () => {
      const value = source.get();
      const next = format(value);
      const move = directionOf((value ?? 0) - (shown ?? value ?? 0), 8);
      shown = value;
      const tone = toneOf(colour, value, move, decimals);
      // A still price keeps the colour of its last move.
      if ((colour !== 'move' || tone !== 'none') && whole.dataset.direction !== tone) {
        whole.dataset.direction = tone;
      }
      if (next === text) return;
      const same = text === null ? next.length : unchangedLength(text, next);
      head.textContent = next.slice(0, same);
      tail.textContent = next.slice(same);
      if (flashes && text !== null && next !== noFigure) flash(tail, move);
      text = next;
    };
    write();
    return source.subscribe(write);
  }, [source, format, colour, decimals, flashes]);

  return (
    <span
      ref={root}
      className={`figures whitespace-nowrap data-[direction=down]:text-down data-[direction=up]:text-up ${className}`}
    >
      <span ref={kept} />
      <span ref={changed} />
    </span>
  );
}
