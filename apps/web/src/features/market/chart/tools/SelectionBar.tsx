/** A bar over the chart while a drawing is selected: its name and the delete button. Arrow keys move the drawing. */
import Trash from 'lucide-react/icons/trash-2';
import X from 'lucide-react/icons/x';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { IconButton } from '../../../../shared/ui/index.ts';
import { InkButtons } from '../toolbar/InkButtons.tsx';
import { drawingTextMax, firstText, toolNames } from './drawing.ts';
import type { ChartController } from './useChartController.ts';

interface SelectionBarProps {
  readonly controller: ChartController;
  /** Receives the focus when the bar closes. */
  readonly board: RefObject<HTMLElement | null>;
}

export function SelectionBar({ controller, board }: SelectionBarProps) {
  const { selected, isSelectedByKey, settings } = controller;
  const bar = useRef<HTMLFieldSetElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = selected?.id;
  useLayoutEffect(() => {
    const node = bar.current;
    if (id === undefined || !node) return;
    if (field.current?.value === firstText) {
      field.current.focus();
      field.current.select();
    } else if (isSelectedByKey) node.focus();
    const parentToolbar = board.current;
    return () => {
      if (node.contains(document.activeElement)) parentToolbar?.focus();
    };
  }, [id, isSelectedByKey, board]);
  if (!selected) return null;
  return (
    <fieldset
      ref={bar}
      tabIndex={-1}
      aria-label={`${toolNames[selected.tool]}, selected`}
      className="rise absolute top-9 left-1/2 z-10 flex h-9 -translate-x-1/2 items-center gap-1 rounded-panel border border-line-strong bg-raised pr-0.5 pl-3 shadow-raised max-md:top-17 max-md:h-auto max-md:w-[calc(100%-16px)] max-md:flex-wrap max-md:justify-center max-md:py-0.5"
    >
      <span className="text-12 font-medium whitespace-nowrap">{toolNames[selected.tool]}</span>
      {selected.text === undefined ? (
        <span className="text-11 whitespace-nowrap text-text-3 max-md:hidden">
          {settings.locked ? 'locked' : 'arrow keys move it'}
        </span>
      ) : (
        <input
          ref={field}
          aria-label="Text of the drawing"
          autoComplete="off"
          maxLength={drawingTextMax}
          value={selected.text}
          onChange={({ target }) => controller.changeSelected({ text: target.value })}
          onKeyDown={({ key }) => {
            if (key === 'Enter' || key === 'Escape') board.current?.focus();
          }}
          className="control h-7 w-44 px-2 text-13 max-md:h-11 max-md:w-32 max-md:text-16 pointer-coarse:text-16"
        />
      )}
      <InkButtons ink={selected.ink ?? null} onChoose={(ink) => controller.changeSelected({ ink })} />
      <IconButton label="Delete drawing" onClick={controller.deleteSelected}>
        <Trash size={15} aria-hidden="true" />
      </IconButton>
      <IconButton label="Deselect drawing" onClick={() => controller.select(null)}>
        <X size={15} aria-hidden="true" />
      </IconButton>
    </fieldset>
  );
}
