/**
 * The trading screen: pair bar, market list, chart, order form, positions. From 1024 px on the form is at the right
 * and the page fits 1440 × 900 without scrolling; the chart takes the surplus, and splitters keep what the user chose. Below that a toggle shows it, and on a phone it is a sheet (A95).
 */
import ChevronDown from 'lucide-react/icons/chevron-down';
import { type CSSProperties, useEffect, useId, useMemo, useRef, useState } from 'react';
import { AssistantButton } from '../../shared/actions/AssistantButton.tsx';
import { useActions } from '../../shared/actions/index.ts';
import { hasOrderDraft, onOrderDraft } from '../../shared/order-draft/index.ts';
import { setPreference, usePreference } from '../../shared/preferences/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { Button, PageSpinner, ReadError, Splitter, useMediaQuery, usePhone } from '../../shared/ui/index.ts';
import { layoutSetting, useSyncedSettings } from '../../shared/user-settings/index.ts';
import { useAlertEntry, useAlertLines } from '../alerts/index.ts';
import { ContractDetailsButton } from '../contract-details/index.ts';
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
  watchlistsSetting,
} from '../market/index.ts';
import { NotificationBell } from '../notifications/index.ts';
import { OrderBook } from '../order-book/index.ts';
import { useFirstSteps } from './first-steps/first-steps.ts';
import { LayoutMenu } from './LayoutMenu.tsx';
import { LiveTitle } from './LiveTitle.tsx';
import { useFillMarks } from './lines/useFillMarks.ts';
import { usePriceLines } from './lines/usePriceLines.ts';
import { usePriceMenu } from './lines/usePriceMenu.ts';
import { ghostLines } from './liquidation-preview/ghost-lines.ts';
import { MarketListButton, MarketListPanel } from './MarketListPanel.tsx';
import { PositionsPanel } from './positions/PositionsPanel.tsx';
import { createStepsOf } from './positions/steps.ts';
import { SecondChart } from './SecondChart.tsx';
import { StatusBar } from './StatusBar.tsx';
import { OrderColumn, OrderRow, OrderSheet } from './ticket/OrderForm.tsx';
import { QuickTrade } from './ticket/QuickTrade.tsx';
import { useTicketActions } from './ticket/ticket-actions.ts';
import { useTicket } from './ticket/useTicket.ts';
import { useTradingLink } from './useTradingLink.ts';

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

/** The height between pair bar and status bar. Below the least one the page scrolls. */
const columnHeight =
  'columns:h-[calc(100dvh-var(--impersonation-height)-var(--restricted-height)-var(--nav-height)-52px-24px)] lg:min-h-[520px]';
/** The chart takes the surplus: positions have 176 px at 900 and at most 280 by default. */
const positionsHeight =
  'flex flex-col max-lg:grow max-lg:border-t max-lg:border-line md:min-h-[320px] columns:min-h-0 columns:h-[clamp(120px,var(--positions-height,clamp(176px,176px+(100dvh-900px)*0.25,280px)),100%-240px)] short:columns:h-auto short:columns:grow short:border-t';

const besideOrderForm = 'columns:grid-cols-[minmax(0,1fr)_max(300px,15%)]';
const besideMarketList =
  '[--market-list-default:260px] min-[1600px]:[--market-list-default:352px] columns:grid-cols-[var(--market-list-width,var(--market-list-default))_minmax(0,1fr)_max(300px,15%)]';
/** The least heights and widths that a splitter leaves, px. */
const least = { positions: 120, chart: 240, marketList: 220, besideMarketList: 480 } as const;
const marketListMax = 520;

/** The sizes that the user chose; without one the classes have the default. */
const sizesOf = (height: number | null, width: number | null) =>
  ({
    ...(height !== null && { '--positions-height': `${height}px` }),
    ...(width !== null && { '--market-list-width': `${width}px` }),
  }) as CSSProperties;

/** The second chart's pair on a screen that has the width for two; null shows one chart. */
function useSecondPair(pairs: readonly Pair[]): { readonly hasRoom: boolean; readonly second: Pair | null } {
  const symbol = usePreference('secondChart');
  const hasRoom = useMediaQuery('(width >= 1920px) and (height >= 500px)');
  const second = hasRoom ? (pairs.find((pair) => pair.symbol === symbol) ?? null) : null;
  return { hasRoom, second };
}

function Terminal({ pairs, pair, onSelect }: PairBarProps) {
  const offered = useOfferedPairs(pairs);
  const selector = { pairs: offered, pair, onSelect };
  const isPhone = usePhone();
  const isWide = useMediaQuery('(width >= 1024px), (width >= 768px) and (height < 500px)');
  const isShort = useMediaQuery('(height < 500px)');
  const column = useRef<HTMLDivElement>(null);
  const positions = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const chosenHeight = usePreference('positionsHeight');
  const chosenWidth = usePreference('marketListWidth');
  const formId = useId();
  const marketListId = useId();
  const marketList = useMarketListPanel();
  const { hasRoom, second } = useSecondPair(offered);
  const showSecond = (isShown: boolean) => {
    const other = offered.find(({ symbol }) => symbol !== pair.symbol);
    setPreference('secondChart', isShown ? (other?.symbol ?? null) : null);
  };
  const panels = [
    ...(marketList.hasRoom
      ? [{ name: 'Market list', isShown: marketList.isShown, onShow: marketList.toggle }]
      : []),
    ...(hasRoom ? [{ name: 'Second chart', isShown: second !== null, onShow: showSecond }] : []),
  ];
  // Figures from a calculator are shown for review, even where the form is folded away.
  const { accountId } = useSignedIn();
  const [formOpen, setFormOpen] = useState(() => hasOrderDraft(accountId, pair.symbol));
  // Before the ticket's own effect, which takes the draft.
  useEffect(
    () => onOrderDraft(() => hasOrderDraft(accountId, pair.symbol) && setFormOpen(true)),
    [accountId, pair.symbol],
  );
  // The phone's sheet makes way for the new position once its order was accepted.
  const ticket = useTicket(pair, () => {
    if (isPhone) setFormOpen(false);
  });
  const firstSteps = useFirstSteps(ticket);
  const stepsOf = useMemo(() => createStepsOf(pairs), [pairs]);
  const priceLines = usePriceLines(pair);
  const alertLines = useAlertLines(pair);
  const ghosts = ghostLines(ticket);
  const orderEntries = usePriceMenu(ticket, () => setFormOpen(true));
  const alertEntry = useAlertEntry(pair);
  const chart = {
    pair,
    lines: useMemo(() => [...priceLines, ...alertLines, ...ghosts], [priceLines, alertLines, ghosts]),
    fills: useFillMarks(pair),
    priceMenuEntries: (price: number) => [...orderEntries(price), ...alertEntry(price)],
    // Its buttons need the form beside the chart.
    overlay: isWide ? <QuickTrade ticket={ticket} /> : null,
  };
  const hasRoomForBook = useMediaQuery('(width >= 1280px)');
  const showsBook = ticket.isNet && hasRoomForBook && !isShort;
  useActions(useTicketActions(ticket));
  useTradingLink(ticket, () => setFormOpen(true));
  useFollowedPrices(pair.symbol);
  const toggle = () => setFormOpen(!formOpen);
  const positionsPanel = (
    <PositionsPanel
      pairs={pairs}
      firstSteps={firstSteps}
      symbol={pair.symbol}
      stepsOf={stepsOf}
      onSelect={onSelect}
    />
  );

  if (isPhone) {
    return (
      <div className="flex grow flex-col">
        <PhoneBar {...selector}>
          {/* Narrower ones keep the name of the pair readable; the other pages have the button. */}
          <span className="max-[359px]:hidden">
            <AssistantButton />
          </span>
          <NotificationBell />
        </PhoneBar>
        <div className="bg-surface">
          <PriceHeader pair={pair} />
          <GlanceChart {...chart} />
        </div>
        <div className="border-y border-line bg-surface p-4 py-3">
          <OrderFormToggle open={formOpen} onToggle={toggle} />
        </div>
        <OrderSheet ticket={ticket} open={formOpen} onOpenChange={setFormOpen} />
        {positionsPanel}
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
      <div
        className={`grid grow ${marketList.isShown ? besideMarketList : besideOrderForm}`}
        style={sizesOf(chosenHeight, chosenWidth)}
      >
        {marketList.isShown ? (
          <div ref={list} className="relative flex min-w-0">
            <MarketListPanel id={marketListId} {...selector} />
            <Splitter
              label="Width of the market list"
              orientation="vertical"
              pane="before"
              read={() => list.current?.offsetWidth ?? least.marketList}
              min={least.marketList}
              max={() =>
                Math.min(
                  marketListMax,
                  (list.current?.offsetWidth ?? 0) +
                    (column.current?.offsetWidth ?? 0) -
                    least.besideMarketList,
                )
              }
              onResize={(width) => setPreference('marketListWidth', width)}
            />
          </div>
        ) : null}
        <div ref={column} className={`flex min-w-0 flex-col ${columnHeight}`}>
          {isShort ? (
            // Beside a glance at the market the full chart opens over the screen.
            <section aria-label="Chart" className="bg-surface">
              <GlanceChart {...chart} />
            </section>
          ) : second || showsBook ? (
            <div className="flex min-h-0 grow">
              <ChartPanel {...chart} variant="first" />
              {second ? (
                <SecondChart
                  pairs={offered}
                  pair={second}
                  onChoose={(symbol) => setPreference('secondChart', symbol)}
                  onTrade={() => {
                    setPreference('secondChart', pair.symbol);
                    onSelect(second.symbol);
                  }}
                  onClose={() => showSecond(false)}
                />
              ) : null}
              {showsBook ? (
                <OrderBook
                  pair={pair}
                  onPrice={ticket.takeLimitPrice}
                  waiting={<div className="w-[248px]" />}
                />
              ) : null}
            </div>
          ) : (
            <ChartPanel {...chart} />
          )}
          {isWide ? null : (
            <>
              <div className="border-t border-line bg-surface p-3">
                <OrderFormToggle open={formOpen} onToggle={toggle} controls={formId} />
              </div>
              <div id={formId}>{formOpen ? <OrderRow ticket={ticket} /> : null}</div>
            </>
          )}
          {isWide ? (
            <Splitter
              label="Height of the positions"
              orientation="horizontal"
              pane="after"
              read={() => positions.current?.offsetHeight ?? least.positions}
              min={least.positions}
              max={() => (column.current?.offsetHeight ?? 0) - least.chart}
              onResize={(height) => setPreference('positionsHeight', height)}
              className="-mb-px short:hidden"
            />
          ) : null}
          <div ref={positions} className={positionsHeight}>
            {positionsPanel}
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
      <StatusBar pair={pair}>{isWide ? <LayoutMenu panels={panels} /> : null}</StatusBar>
    </div>
  );
}

const settings = [layoutSetting, watchlistsSetting];
const noPairs: readonly Pair[] = [];

export function TradingPage() {
  const catalogue = usePairs();
  const pairs = catalogue.data ?? noPairs;
  const { selected, select } = useSelectedPair(pairs);
  useSyncedFavorites();
  useSyncedSettings(settings);
  useFollowedPrices(null);
  if (!selected) {
    return (
      <>
        <title>Trading · Fulcrum</title>
        {catalogue.isPending ? (
          <PageSpinner label="Loading the markets" />
        ) : (
          <ReadError
            title={catalogue.isError ? 'The markets could not be loaded' : 'There are no markets yet'}
            reading={catalogue}
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
