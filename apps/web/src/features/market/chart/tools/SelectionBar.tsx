/** Over the chart while a drawing is selected: what it is, and the button that deletes it. Arrow keys move the drawing. */
import Trash from 'lucide-react/icons/trash-2';
import X from 'lucide-react/icons/x';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { IconButton } from '../../../../shared/ui/index.ts';
import { toolNames } from './drawing.ts';
import type { ChartDesk } from './useChartDesk.ts';

interface SelectionBarProps {
  readonly desk: ChartDesk;
  /** Where the focus goes when the bar goes. */
  readonly board: RefObject<HTMLElement | null>;
}

export function SelectionBar({ desk, board }: SelectionBarProps) {
  const { selected, isSelectedByKey, settings } = desk;
  const bar = useRef<HTMLFieldSetElement>(null);
  const id = selected?.id;
  useLayoutEffect(() => {
    const node = bar.current;
    if (id === undefined || !node) return;
    if (isSelectedByKey) node.focus();
    const home = board.current;
    return () => {
      if (node.contains(document.activeElement)) home?.focus();
    };
  }, [id, isSelectedByKey, board]);
  if (!selected) return null;
  return (
    <fieldset
      ref={bar}
      tabIndex={-1}
      aria-label={`${toolNames[selected.tool]}, selected`}
      className="rise absolute top-9 left-1/2 z-10 flex h-9 -translate-x-1/2 items-center gap-1 rounded-panel border border-line-strong bg-raised pr-0.5 pl-3 shadow-raised max-md:top-17 max-md:h-12"
    >
      <span className="text-12 font-medium whitespace-nowrap">{toolNames[selected.tool]}</span>
      <span className="text-11 whitespace-nowrap text-text-3 max-md:hidden">
        {settings.locked ? 'locked' : 'arrow keys move it'}
      </span>
      <IconButton label="Delete drawing" onClick={desk.deleteSelected}>
        <Trash size={15} aria-hidden="true" />
      </IconButton>
      <IconButton label="Deselect drawing" onClick={() => desk.select(null)}>
        <X size={15} aria-hidden="true" />
      </IconButton>
    </fieldset>
  );
}
