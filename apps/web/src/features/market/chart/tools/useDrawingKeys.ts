/**
 * Keys of drawings, while there is something for them to act on: Escape puts the tool away or lets go of a drawing, Delete
 * and Backspace remove it, arrows move it. They act only where nothing else on the page would take them: not in a field,
 * not on another control than the chart's own, not behind a dialog.
 */
import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { ChartDesk } from './useChartDesk.ts';

const arrows: Readonly<Record<string, readonly [bars: number, steps: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** Whether the chart in `board` is who a key at `target` is meant for. */
function isMeant(board: HTMLElement | null, target: EventTarget | null): boolean {
  if (!board || !(target instanceof Element)) return false;
  if (target.closest('input, textarea, select, [contenteditable="true"], [role="menu"]')) return false;
  if (board.contains(target)) return true;
  // Nothing has the focus: the chart that is on top has the key.
  const dialog = document.querySelector(
    '[role="dialog"][data-state="open"], [role="alertdialog"][data-state="open"]',
  );
  return target === document.body && (!dialog || dialog.contains(board));
}

export function useDrawingKeys(board: RefObject<HTMLElement | null>, desk: ChartDesk): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.defaultPrevented || !isMeant(board.current, event.target)) return;
    const { selected, tool } = desk;
    if (event.key === 'Escape') {
      if (tool !== null) desk.choose(null);
      else if (selected) desk.select(null);
      else return;
    } else if (!selected) {
      return;
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      desk.deleteSelected();
    } else {
      const [bars, steps] = arrows[event.key] ?? [0, 0];
      // In the rail arrows walk from tool to tool.
      if (
        (bars === 0 && steps === 0) ||
        (event.target instanceof Element && event.target.closest('[role="toolbar"]'))
      )
        return;
      desk.nudge(bars, steps);
    }
    event.preventDefault();
    event.stopPropagation();
  });
  const isActive = desk.tool !== null || desk.selected !== null;
  useEffect(() => {
    if (!isActive) return;
    // Ahead of a dialog around the chart, which would close on Escape.
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [isActive]);
}
