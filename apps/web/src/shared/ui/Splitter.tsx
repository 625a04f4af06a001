/**
 * A line between two panes that the user drags, or moves by arrow keys, Home and End; a double click restores the default. The
 * owner stores the size, in px, of one pane. Invariant: the size stays between `min` and `max`.
 */
import type { KeyboardEvent, PointerEvent } from 'react';

const keyStep = 16;

interface SplitterProps {
  /** Names what the line resizes, such as `Height of the positions`. */
  readonly label: string;
  /** The direction of the line itself. */
  readonly orientation: 'horizontal' | 'vertical';
  /** Where the sized pane is: dragging away from it makes it larger. */
  readonly pane: 'before' | 'after';
  /** The size of the pane now, px. */
  readonly read: () => number;
  readonly min: number;
  readonly max: () => number;
  /** Null restores the default. */
  readonly onResize: (size: number | null) => void;
  readonly className?: string;
}

export function Splitter({
  label,
  orientation,
  pane,
  read,
  min,
  max,
  onResize,
  className = '',
}: SplitterProps) {
  const isHorizontal = orientation === 'horizontal';
  const sign = pane === 'before' ? 1 : -1;
  const resize = (size: number) => onResize(Math.round(Math.max(min, Math.min(max(), size))));

  const start = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const line = event.currentTarget;
    line.focus();
    line.setPointerCapture(event.pointerId);
    const before = read();
    const origin = isHorizontal ? event.clientY : event.clientX;
    const move = (moved: globalThis.PointerEvent) =>
      resize(before + sign * ((isHorizontal ? moved.clientY : moved.clientX) - origin));
    const end = () => {
      line.removeEventListener('pointermove', move);
      line.removeEventListener('pointerup', end);
      line.removeEventListener('pointercancel', end);
    };
    line.addEventListener('pointermove', move);
    line.addEventListener('pointerup', end);
    line.addEventListener('pointercancel', end);
  };

  const press = (event: KeyboardEvent) => {
    const back = isHorizontal ? 'ArrowUp' : 'ArrowLeft';
    const forth = isHorizontal ? 'ArrowDown' : 'ArrowRight';
    const sizes: Readonly<Record<string, () => number>> = {
      [back]: () => read() - sign * keyStep,
      [forth]: () => read() + sign * keyStep,
      Home: () => min,
      End: max,
    };
    const size = sizes[event.key];
    if (size === undefined) return;
    event.preventDefault();
    resize(size());
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that has a value is no <hr>
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={Math.round(read())}
      aria-valuemin={min}
      aria-valuemax={Math.round(max())}
      title={`${label}: drag, or double click for the default`}
      onPointerDown={start}
      onDoubleClick={() => onResize(null)}
      onKeyDown={press}
      className={`relative z-10 shrink-0 touch-none bg-line transition-colors hover:bg-accent focus-visible:bg-accent ${
        isHorizontal
          ? 'h-px cursor-row-resize before:absolute before:inset-x-0 before:-inset-y-1'
          : 'w-px cursor-col-resize before:absolute before:inset-y-0 before:-inset-x-1'
      } ${className}`}
    />
  );
}
