/**
 * The trading screen: pair bar, market list, chart, order form, positions. From 1024 px on the form is at the right
 * and the page fits 1440 × 900 without scrolling. Below that a toggle shows it, and on a phone it is a sheet (A95).
 */
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useId, useMemo, useState } from 'react';
import { useActions } from '../../shared/actions/index.ts';
import { hasOrderDraft } from '../../shared/order-draft/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { Button, ErrorState, PageSpinner, useMediaQuery, usePhone } from '../../shared/ui/index.ts';
import {
  ChartPanel,
  GlanceChart,
  type Pair,
  PairBar,
  type PairBarProps,
  PhoneBar,
  PriceHeader,
  useFollowedPrices,
  useMarketListPanel,
  useOfferedPairs,
  usePairs,
  useSelectedPair,
  useSyncedFavorites,
} from '../market/index.ts';
import { NotificationBell } from '../notifications/index.ts';
import { ContractDetailsButton } from './contract/ContractDetails.tsx';
import { LiveTitle } from './LiveTitle.tsx';
import { useFillMarks } from './lines/useFillMarks.ts';
import { usePriceLines } from './lines/usePriceLines.ts';
import { usePriceMenu } from './lines/usePriceMenu.ts';
import { MarketListButton, MarketListPanel } from './MarketListPanel.tsx';
import { PositionsPanel } from './positions/PositionsPanel.tsx';
import { createStepsOf } from './positions/steps.ts';
import { StatusBar } from './StatusBar.tsx';
import { OrderColumn, OrderRow, OrderSheet } from './ticket/OrderForm.tsx';
import { useTicketActions } from './ticket/ticket-actions.ts';
import { useTicket } from './ticket/useTicket.ts';

interface ToggleProps {
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly controls?: string;
}

/** Toggles the order form on a small screen (TRADE-28). */
function OrderFormToggle({ open, onToggle, controls }: ToggleProps) {
  return (
    <Button
      tone={open ? 'secondary' : 'primary'}
      size="large"
      aria-expanded={open}
      aria-controls={open ? controls : undefined}
      onClick={onToggle}
      className="w-full"
    >
      {open ? 'Hide Order Form' : 'Show Order Form'}
      <ChevronDown size={16} aria-hidden="true" className={open ? '' : 'rotate-180'} />
    </Button>
  );
}

/** Positions fill the height beneath the chart: 176 px at 900, more on a taller screen. */
const positionsHeight =
  'flex flex-col border-t border-line md:min-h-[320px] lg:h-[max(176px,calc(100dvh-var(--impersonation-height)-var(--restricted-height)-var(--nav-height)-52px-600px-24px))] lg:min-h-0';

const besideOrderForm = 'lg:grid-cols-[minmax(0,1fr)_max(300px,15%)]';
const besideMarketList = 'lg:grid-cols-[352px_minmax(0,1fr)_max(300px,15%)]';

function Terminal({ pairs, pair, onSelect }: PairBarProps) {
  const offered = useOfferedPairs(pairs);
  const selector = { pairs: offered, pair, onSelect };
  const isPhone = usePhone();
  const isWide = useMediaQuery('(min-width: 1024px)');
  const formId = useId();
  const marketListId = useId();
  const marketList = useMarketListPanel();
  // Figures from a calculator are shown for review, even where the form is folded away.
  const { user } = useSignedIn();
  const [formOpen, setFormOpen] = useState(() => hasOrderDraft(user.id, pair.symbol));
  const ticket = useTicket(pair);
  const stepsOf = useMemo(() => createStepsOf(pairs), [pairs]);
  const lines = usePriceLines(pair);
  const fills = useFillMarks(pair);
  const priceMenuEntries = usePriceMenu(ticket, () => setFormOpen(true));
  useActions(useTicketActions(ticket));
  useFollowedPrices(pair.symbol);
  const toggle = () => setFormOpen(!formOpen);

  if (isPhone) {
    return (
      <div className="flex grow flex-col">
        <PhoneBar {...selector}>
          <NotificationBell />
        </PhoneBar>
        <div className="bg-surface">
          <PriceHeader pair={pair} />
          <GlanceChart pair={pair} lines={lines} fills={fills} priceMenuEntries={priceMenuEntries} />
        </div>
        <div className="border-y border-line bg-surface p-4 py-3">
          <OrderFormToggle open={formOpen} onToggle={toggle} />
        </div>
        <OrderSheet ticket={ticket} open={formOpen} onOpenChange={setFormOpen} />
        <PositionsPanel symbol={pair.symbol} stepsOf={stepsOf} onSelect={onSelect} />
      </div>
    );
  }
  return (
    <div className="flex grow flex-col">
      <PairBar
        {...selector}
        lead={
          marketList.hasRoom ? (
            <MarketListButton
              shown={marketList.isShown}
              controls={marketListId}
              onToggle={marketList.toggle}
            />
          ) : null
        }
        details={<ContractDetailsButton pair={pair} />}
      />
      <div className={`grid grow ${marketList.isShown ? besideMarketList : besideOrderForm}`}>
        {marketList.isShown ? <MarketListPanel id={marketListId} {...selector} /> : null}
        <div className="flex min-w-0 flex-col">
          <ChartPanel pair={pair} lines={lines} fills={fills} priceMenuEntries={priceMenuEntries} />
          {isWide ? null : (
            <>
              <div className="border-t border-line bg-surface p-3">
                <OrderFormToggle open={formOpen} onToggle={toggle} controls={formId} />
              </div>
              <div id={formId}>{formOpen ? <OrderRow ticket={ticket} /> : null}</div>
            </>
          )}
          <div className={positionsHeight}>
            <PositionsPanel symbol={pair.symbol} stepsOf={stepsOf} onSelect={onSelect} />
          </div>
        </div>
        {isWide ? (
          <aside aria-label="Order" className="border-l border-line bg-surface">
            <div className="sticky top-[calc(var(--impersonation-height)+var(--nav-height))] h-[calc(100dvh-var(--impersonation-height)-var(--restricted-height)-var(--nav-height)-52px-24px)] overflow-y-auto">
              <OrderColumn ticket={ticket} />
            </div>
          </aside>
        ) : null}
      </div>
      <StatusBar pair={pair} />
    </div>
  );
}

const noPairs: readonly Pair[] = [];

export function TradingPage() {
  const catalogue = usePairs();
  const pairs = catalogue.data ?? noPairs;
  const { selected, select } = useSelectedPair(pairs);
  useSyncedFavorites();
  useFollowedPrices(null);
  const retry = () => void catalogue.refetch();
  if (!selected) {
    return (
      <>
        <title>Trading · Fulcrum</title>
        {catalogue.isPending ? (
          <PageSpinner label="Loading the markets" />
        ) : (
          <ErrorState
            title={catalogue.isError ? 'The markets could not be loaded' : 'There are no markets yet'}
            onRetry={retry}
            retrying={catalogue.isFetching}
          />
        )}
      </>
    );
  }
  return (
    <>
      <LiveTitle pair={selected} />
      <h1 className="sr-only">Trading {selected.symbol}</h1>
      <Terminal pairs={pairs} pair={selected} onSelect={select} />
    </>
  );
}
