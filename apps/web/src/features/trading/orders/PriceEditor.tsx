/**
 * The price of a waiting order, changed in its row: Enter sends it, Escape and leaving the field restore it. Invariant:
 * the field keeps a refused price with the reason beneath it, and the order keeps its own.
 */
import { isWaiting } from '@fulcrum/domain';
import Pencil from 'lucide-react/icons/pencil';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { formatUnreadablePrice, parsePrice } from '../../../shared/decimals/price.ts';
import { failedWith, useRequest } from '../../../shared/form/index.ts';
import { formatPrice } from '../../../shared/numbers/index.ts';
import type { Order } from '../../../shared/supabase/index.ts';
import { showToast } from '../../../shared/ui/index.ts';
import { useAmend } from '../lines/useAmend.ts';
import type { Steps } from '../positions/steps.ts';
import { getOrderLabel, getPriceText, triggerOrLimit } from './labels.ts';
import { getAmendedNotice } from './notices.ts';

interface PriceEditorProps {
  readonly order: Order;
  readonly steps: Pick<Steps, 'tickSize' | 'stepSize'>;
  readonly className?: string;
}

const priceAndLimit = 'inline-flex items-center gap-1 max-md:flex-col max-md:items-start max-md:gap-0';

export function PriceEditor({ order, steps, className = '' }: PriceEditorProps) {
  const { tickSize } = steps;
  const [text, setText] = useState<string | null>(null);
  const amend = useAmend();
  const { run, pending, error, setError } = useRequest();
  const reasonId = useId();
  const field = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const returnsFocus = useRef<boolean>(false);
  const isEditing = text !== null;
  const shown = getPriceText(order, tickSize);
  const waitsForTrigger = order.triggerPrice !== null && order.triggeredAt === null;
  const name = waitsForTrigger ? 'trigger price' : 'price';
  const what = `${order.symbol} ${getOrderLabel(order).toLowerCase()}`;

  useEffect(() => {
    if (isEditing) field.current?.select();
    else if (returnsFocus.current) opener.current?.focus();
    returnsFocus.current = false;
  }, [isEditing]);

  const restore = (focus: 'opener' | 'elsewhere') => {
    returnsFocus.current = focus === 'opener';
    setError(null);
    setText(null);
  };
  const send = async () => {
    const typed = parsePrice(text ?? '');
    if (typed.kind === 'empty') return setError(`Enter a ${name}.`);
    if (typed.kind === 'unreadable')
      return setError(formatUnreadablePrice('The price', typed, `${triggerOrLimit(order)}`));
    const panel = field.current?.closest('section');
    const sent = await run(async () => {
      const amended = await amend(order, typed.price);
      const notice = getAmendedNotice(order, amended, `${text?.trim()}`, steps);
      showToast(notice.tone, notice.text);
      // Its row is gone, and the field with it.
      if (!isWaiting(amended.status))
        panel?.querySelector<HTMLElement>('[role=tab][data-state=active]')?.focus();
    }, failedWith('Failed to change the price'));
    if (!sent) return;
    restore('opener');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') restore('opener');
    else if (event.key === 'Enter') void send();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  if (order.trailRate !== null) return <span className="figures text-12">{shown}</span>;
  const limit =
    waitsForTrigger && order.price !== null ? (
      <span className="figures text-12 font-normal whitespace-nowrap text-text-3">
        {`limit ${formatPrice(order.price, tickSize)}`}
      </span>
    ) : null;
  if (!isEditing) {
    return (
      <span className={priceAndLimit}>
        <button
          ref={opener}
          type="button"
          title={`Change the ${name}`}
          aria-label={`Change the ${name} of ${what}, ${shown}`}
          onClick={() => setText(shown.replaceAll(',', ''))}
          className={`figures group/price inline-flex h-7 items-center gap-1 rounded-control px-1 transition-colors hover:bg-raised max-md:-my-3 max-md:-ml-1 max-md:h-11 ${className}`}
        >
          <Pencil
            size={12}
            aria-hidden="true"
            className="text-text-3 opacity-0 transition-opacity group-hover/price:opacity-100 group-focus-visible/price:opacity-100 max-md:order-last max-md:opacity-100"
          />
          {shown}
        </button>
        {limit}
      </span>
    );
  }
  return (
    <span className={priceAndLimit}>
      <span className="relative inline-block align-middle">
        <input
          ref={field}
          value={text}
          inputMode="decimal"
          autoComplete="off"
          aria-label={`${waitsForTrigger ? 'Trigger price' : 'Price'} of ${what}`}
          aria-invalid={error !== null}
          aria-describedby={reasonId}
          readOnly={pending}
          onChange={(event) => {
            setError(null);
            setText(event.target.value);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => pending || error !== null || restore('elsewhere')}
          className="figures h-7 w-[104px] rounded-control border border-line-control bg-inset px-1.5 text-right text-12 outline-none focus:border-accent aria-invalid:border-down max-md:h-11 max-md:text-16"
        />
        <span
          id={reasonId}
          role={error === null ? undefined : 'alert'}
          className={
            error === null
              ? 'sr-only'
              : 'absolute top-full right-0 z-20 mt-1 w-60 rounded-control border border-line-strong bg-raised px-2.5 py-1.5 text-left text-12 whitespace-normal text-down shadow-raised max-md:right-auto max-md:left-0'
          }
        >
          {error ?? (pending ? 'Sending the price' : 'Enter sends it, Escape restores it.')}
        </span>
      </span>
      {limit}
    </span>
  );
}
