/**
 * Keys of drawings: Escape cancels the tool or deselects a drawing, Delete and Backspace remove it, arrows move it.
 * They work only while they have a target and no other element would use them. That excludes fields, controls outside
 * the chart, and a page behind a dialog.
 */
import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { ChartController } from './useChartController.ts';

const arrows: Readonly<Record<string, readonly [bars: number, steps: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** Returns whether a key at `target` is for the chart in `board`. */
function isForChart(board: HTMLElement | null, target: EventTarget | null): boolean {
  if (!board || !(target instanceof Element)) return false;
  if (target.closest('input, textarea, select, [contenteditable="true"], [role="menu"]')) return false;
  if (board.contains(target)) return true;
  // Nothing has the focus: the topmost chart takes the key.
  const dialog = document.querySelector(
    '[role="dialog"][data-state="open"], [role="alertdialog"][data-state="open"]',
  );
  return target === document.body && (!dialog || dialog.contains(board));
}

export function useDrawingKeys(board: RefObject<HTMLElement | null>, controller: ChartController): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.defaultPrevented || !isForChart(board.current, event.target)) return;
    const { selected, tool } = controller;
    if (event.key === 'Escape') {
      if (tool !== null) controller.choose(null);
      else if (selected) controller.select(null);
      else return;
    } else if (!selected) {
      return;
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      controller.deleteSelected();
    } else {
      const [bars, steps] = arrows[event.key] ?? [0, 0];
      // In the rail, arrows walk from tool to tool.
      if (
        (bars === 0 && steps === 0) ||
        (event.target instanceof Element && event.target.closest('[role="toolbar"]'))
      )
        return;
      controller.nudge(bars, steps);
    }
    event.preventDefault();
    event.stopPropagation();
  });
  const isActive = controller.tool !== null || controller.selected !== null;
  useEffect(() => {
    if (!isActive) return;
    // Runs before a dialog around the chart, which would close on Escape.
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [isActive]);
}
