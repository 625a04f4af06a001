/** The order form in its three shapes: a column at the right, two columns beneath the chart, a sheet on a phone. */
import { sides } from '@fulcrum/domain';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { Dialog } from 'radix-ui';
import { type FormEvent, type KeyboardEvent, useId } from 'react';
import { InstrumentMark, useBackCloses, useKeyboardHeight } from '../../../shared/ui/index.ts';
import { AccountStrip } from './AccountStrip.tsx';
import { FootSummary } from './FootSummary.tsx';
import { SubmitArea } from './SubmitArea.tsx';
import { CurrentPrice, shortScreenStyles, TicketFields } from './TicketFields.tsx';
import { TicketSummary } from './TicketSummary.tsx';
import type { Ticket } from './useTicket.ts';

/** Enter does not submit, because an order must choose buy or sell. */
const ignore = (event: FormEvent) => event.preventDefault();

/** Enter in a field goes on to the order buttons, the first that may be pressed. */
function goToButtons(event: KeyboardEvent<HTMLFormElement>) {
  const { key, target, currentTarget } = event;
  if (key !== 'Enter' || !(target instanceof HTMLInputElement) || target.type !== 'text') return;
  // Otherwise the key would go on to press the button.
  event.preventDefault();
  const buttons = sides.flatMap((side) => {
    const found = currentTarget.elements.namedItem(side);
    return found instanceof HTMLButtonElement ? [found] : [];
  });
  (buttons.find((button) => button.ariaDisabled !== 'true') ?? buttons[0])?.focus();
}

const formAttributes = {
  noValidate: true,
  onSubmit: ignore,
  onKeyDown: goToButtons,
  'aria-label': 'Order form',
} as const;

interface OrderFormProps {
  readonly ticket: Ticket;
}

const shortStickyButtons =
  'short:sticky short:bottom-0 short:-mx-4 short:border-t short:border-line short:bg-surface short:px-4 short:py-2';
/** With the cost of the order the form is longer than a screen of 900 px. */
const stickyButtons = 'sticky bottom-0 -mx-4 border-t border-line bg-surface px-4 py-2';
const raised = 'lg:[@media(max-height:1000px)]:pt-2';

/** The order form as the column at the right, from 1024 px on (TRADE-27). */
export function OrderColumn({ ticket }: OrderFormProps) {
  const ruleId = useId();
  const { type, protects } = ticket.state;
  const hasPrice = type !== 'MARKET';
  return (
    <form {...formAttributes} className="flex min-h-full flex-col">
      <div
        className={`flex flex-col gap-3 px-4 pt-3 pb-2.5 ${hasPrice && protects ? `${shortScreenStyles} ${raised}` : ''}`}
      >
        <TicketFields ticket={ticket} ruleId={ruleId} />
        <hr className="border-line" />
        <TicketSummary ticket={ticket} />
        <div className={ticket.isNet ? stickyButtons : shortStickyButtons}>
          <SubmitArea ticket={ticket} ruleId={ruleId} />
        </div>
      </div>
      <div className="mt-auto border-t border-line px-4 py-2.5 [@media(min-height:1000px)]:mt-0 [@media(min-height:1000px)]:border-b">
        <AccountStrip ticket={ticket} folds={hasPrice || protects} />
      </div>
    </form>
  );
}

/** From 768 to 1023 px. */
export function OrderRow({ ticket }: OrderFormProps) {
  const ruleId = useId();
  return (
    <form {...formAttributes} className="grid grid-cols-2 gap-8 border-b border-line bg-surface p-4">
      <TicketFields ticket={ticket} ruleId={ruleId} />
      <div className="flex flex-col justify-between gap-4">
        <TicketSummary ticket={ticket} />
        <SubmitArea ticket={ticket} ruleId={ruleId} />
      </div>
    </form>
  );
}

interface OrderSheetProps extends OrderFormProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** The sheet itself takes the initial focus: focusing a field would open the on-screen keyboard at once. */
const focusSheet = (event: Event) => {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
};

/** Below 768 px. Buttons and rule line are a footer that never scrolls and stays above the on-screen keyboard. */
export function OrderSheet({ ticket, open, onOpenChange }: OrderSheetProps) {
  const ruleId = useId();
  const keyboardHeight = useKeyboardHeight();
  const { pair } = ticket;
  useBackCloses(open, () => onOpenChange(false));
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fade fixed inset-0 z-40 bg-backdrop" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focusSheet}
          style={{ bottom: keyboardHeight }}
          className="rise fixed inset-x-0 top-[calc(var(--impersonation-height)+64px)] z-40 flex flex-col rounded-t-dialog border-t border-line-strong bg-raised shadow-raised outline-none"
        >
          <span aria-hidden="true" className="mx-auto mt-2 h-1 w-9 shrink-0 rounded-full bg-line-strong" />
          <div className="flex items-center gap-2.5 pt-1 pr-1 pl-4 max-[389px]:gap-1.5">
            <span className="max-[389px]:hidden">
              <InstrumentMark symbol={pair.symbol} size={24} />
            </span>
            <Dialog.Title className="min-w-0 truncate text-16 font-semibold">
              {pair.symbol}
              <span className="sr-only"> order form</span>
            </Dialog.Title>
            <CurrentPrice ticket={ticket} />
            <Dialog.Close className="ml-auto inline-flex h-11 shrink-0 items-center gap-1.5 rounded-control px-3 text-13 whitespace-nowrap max-[389px]:gap-1 max-[389px]:px-1 font-medium text-text-2">
              Hide Order Form
              <ChevronDown size={16} aria-hidden="true" />
            </Dialog.Close>
          </div>
          <form {...formAttributes} className="flex min-h-0 grow flex-col">
            <div className="flex min-h-0 grow flex-col gap-3.5 overflow-y-auto px-4 pt-1 pb-3">
              <TicketFields ticket={ticket} ruleId={ruleId} priced="above" />
              <hr className="border-line" />
              <TicketSummary ticket={ticket} />
            </div>
            <div className="shrink-0 border-t border-line px-4 pt-3 pb-[calc(12px+env(safe-area-inset-bottom))]">
              {ticket.isNet ? null : <FootSummary ticket={ticket} />}
              <SubmitArea ticket={ticket} ruleId={ruleId} />
            </div>
          </form>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
