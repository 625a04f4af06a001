/**
 * The menu at a price of the chart: a right click, a long press or its key opens it. The price can be typed, so that
 * every price is in reach of the keyboard.
 */
import { toNumber } from '@fulcrum/domain';
import { Popover as Radix } from 'radix-ui';
import { type RefObject, useState } from 'react';
import { parsePrice } from '../../../../shared/decimals/price.ts';
import { log } from '../../../../shared/log/log.ts';
import { formatPrice } from '../../../../shared/numbers/index.ts';
import { showToast } from '../../../../shared/ui/index.ts';
import type { Pair } from '../../pairs/usePairs.ts';
import { type PriceMenuEntries, type PricePoint, toGridPrice } from './price-menu.ts';

interface PriceMenuProps {
  readonly pair: Pair;
  readonly decimals: number;
  readonly point: PricePoint;
  readonly entries: PriceMenuEntries | undefined;
  readonly onClose: () => void;
  /** Receives the focus when nothing else has it. */
  readonly board: RefObject<HTMLElement | null>;
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast('success', `Price ${text} copied`);
  } catch (cause) {
    log.warn('Copying a price failed', cause);
    showToast('error', 'The price could not be copied. Select it in the field and copy it there.');
  }
}

export function PriceMenu({ pair, decimals, point, entries, onClose, board }: PriceMenuProps) {
  const [text, setText] = useState(() => point.price.toFixed(decimals));
  const parsed = parsePrice(text);
  const price = parsed.kind === 'price' ? toGridPrice(toNumber(parsed.price), pair.tickSize, decimals) : null;
  const all =
    price === null
      ? []
      : [
          ...(entries?.(price) ?? []),
          {
            id: 'copy',
            label: `Copy ${formatPrice(price, pair.tickSize)}`,
            perform: () => void copy(price.toFixed(decimals)),
          },
        ];
  return (
    <Radix.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Anchor asChild>
        <span
          aria-hidden="true"
          className="pointer-events-none absolute size-0"
          style={{ left: point.x, top: point.y }}
        />
      </Radix.Anchor>
      <Radix.Portal>
        <Radix.Content
          aria-label={`${pair.symbol} at a price`}
          side="right"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="rise z-50 flex w-60 flex-col rounded-panel border border-line-strong bg-raised p-1 text-13 shadow-raised outline-none"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (document.activeElement === document.body) board.current?.focus();
          }}
        >
          <input
            aria-label="Price"
            inputMode="decimal"
            autoComplete="off"
            value={text}
            onChange={({ target }) => setText(target.value)}
            aria-invalid={price === null ? true : undefined}
            className="control figures mb-1 h-8 w-full px-2.5 text-13 max-md:h-11 max-md:text-16 pointer-coarse:text-16"
          />
          {all.map(({ id, label, perform }) => (
            <button
              key={id}
              type="button"
              onClick={() => {
                onClose();
                perform();
              }}
              className="figures flex min-h-8 items-center rounded-control px-2.5 text-left text-13 hover:bg-accent-weak focus-visible:bg-accent-weak max-md:min-h-11"
            >
              {label}
            </button>
          ))}
          <p role="status" className="px-2.5 text-12 text-text-2 empty:hidden">
            {price === null ? 'Type a price, such as 95600.' : ''}
          </p>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
