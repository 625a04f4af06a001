/**
 * The "+" beside the price axis at the pointer's height: it opens the menu of that price. It follows a mouse without
 * renders; touch has the long press and the keyboard its key, so it is no tab stop.
 */
import Plus from 'lucide-react/icons/plus';
import { type PointerEvent, useRef } from 'react';
import { axisWidthPx } from '../axis-width.ts';

/** `hasPrice` says whether a height, px from the chart's top, has a price. Spread `pointer` on an ancestor of the button. */
export function usePriceButton(hasPrice: (y: number) => boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const hide = () => {
    if (button.current) button.current.hidden = true;
  };
  return {
    button,
    pointer: {
      onPointerMove: ({ pointerType, clientY, target, currentTarget }: PointerEvent<HTMLElement>) => {
        const { current } = button;
        if (!current) return;
        const y = clientY - currentTarget.getBoundingClientRect().top;
        // A line's pill takes the pointer for itself.
        const isFree =
          target instanceof Element &&
          target.closest('button') === (target.closest('[data-price-button]') ?? null);
        current.hidden = pointerType !== 'mouse' || !isFree || !hasPrice(y);
        current.style.top = `${y}px`;
      },
      onPointerLeave: hide,
    },
  };
}

interface PriceButtonProps {
  readonly button: ReturnType<typeof usePriceButton>['button'];
  readonly onOpen: (clientX: number, clientY: number) => void;
}

export function PriceButton({ button, onOpen }: PriceButtonProps) {
  return (
    <button
      ref={button}
      type="button"
      hidden
      tabIndex={-1}
      data-price-button
      aria-label="Trade at or copy this price"
      title="Trade at or copy this price"
      onClick={({ clientX, clientY }) => onOpen(clientX, clientY)}
      style={{ right: axisWidthPx + 2 }}
      className="absolute z-10 grid size-5 -translate-y-1/2 place-items-center rounded-control border border-line-strong bg-raised text-text-2 hover:bg-accent hover:text-on-fill"
    >
      <Plus size={13} aria-hidden="true" />
    </button>
  );
}
