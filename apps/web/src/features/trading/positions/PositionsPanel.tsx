/** The panel beneath the chart: open positions, closed positions, open orders and final orders (TRADE-26, A20). */
import { type ReactNode, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { useOpenOrders, useOpenPositions } from '../../../shared/account/index.ts';
import { type Action, useActions } from '../../../shared/actions/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import type { Order, Position } from '../../../shared/supabase/index.ts';
import { allDays } from '../../../shared/time/day-range.ts';
import { Button, TabPanel, Tabs, usePhone } from '../../../shared/ui/index.ts';
import { AlertsTab, useAlerts } from '../../alerts/index.ts';
import { FirstStepsCard } from '../../coach/index.ts';
import type { Pair } from '../../market/index.ts';
import { firstSteps as allSteps, type FirstSteps } from '../first-steps/first-steps.ts';
import { useChartRequests } from '../lines/chart-requests.ts';
import { useCanceling } from '../orders/canceling.ts';
import { useCancelingAll } from '../orders/canceling-all.ts';
import { openOrders } from '../orders/OpenOrders.tsx';
import { OrderHistory } from '../orders/OrderHistory.tsx';
import { useClosing } from './closing.ts';
import { useClosingAll } from './closing-all.ts';
import { type DayRange, DaysMenu } from './DaysMenu.tsx';
import { ExportButton } from './ExportButton.tsx';
import { useExplaining } from './explaining.ts';
import { useClosedHistory, useOrderHistory } from './history-rows.ts';
import { openPositions } from './OpenPositions.tsx';
import { PanelDialogs } from './PanelDialogs.tsx';
import { PanelTools, PhoneTotals, TotalPnl, useShownPair } from './PanelTools.tsx';
import { positionHistory } from './PositionHistory.tsx';
import { useProtecting } from './protecting.ts';
import { formatCount, RowList, usePairRows } from './RowList.tsx';
import { useReversing } from './reversing.ts';
import type { StepsOf } from './steps.ts';

type Tab = 'open' | 'history' | 'orders' | 'order-history' | 'alerts';

const noPositions: readonly Position[] = [];
const noOrders: readonly Order[] = [];

interface PositionsPanelProps {
  /** The selected pair. */
  readonly symbol: string;
  readonly pairs: readonly Pair[];
  /** Shown above the open positions; null for none. */
  readonly firstSteps: FirstSteps | null;
  readonly stepsOf: StepsOf;
  readonly onSelect: (symbol: string) => void;
}

export function PositionsPanel({ symbol, pairs, firstSteps, stepsOf, onSelect }: PositionsPanelProps) {
  const isPhone = usePhone();
  const [tab, setTab] = useState<Tab>('open');
  const closing = useClosing(stepsOf);
  const protecting = useProtecting();
  const reversing = useReversing(stepsOf);
  const canceling = useCanceling(stepsOf);
  const closingAll = useClosingAll();
  const cancelingAll = useCancelingAll();
  const explaining = useExplaining();
  const only = useShownPair(symbol);
  useChartRequests(closing.ask, canceling.ask);
  const showPair = useCallback(({ symbol }: { readonly symbol: string }) => onSelect(symbol), [onSelect]);
  const section = useRef<HTMLElement>(null);
  const open = useOpenPositions();
  const orders = useOpenOrders();
  const [days, setDays] = useState(allDays);
  const dayRange: DayRange = { days, onChange: setDays };
  const history = { only, days };
  const closed = useClosedHistory(history);
  const past = useOrderHistory(history);
  const waitingAlerts = useAlerts().data?.filter(({ state }) => state === 'armed').length;
  // Alerts are the user's own: staff who look in have none of their own here.
  const isOwn = useSignedIn().impersonation === null;
  const shownOpen = usePairRows(open, only);
  const shownOrders = usePairRows(orders, only);
  const openRows = shownOpen.rows ?? noPositions;
  const orderRows = shownOrders.rows ?? noOrders;
  const key = (id: string, label: string, keys: string, perform: () => void): Action => ({
    id: `positions-${id}`,
    label,
    group: 'Trading',
    keys: [keys],
    isTrading: true,
    perform,
  });
  const shownPosition = open.data?.find((position) => position.symbol === symbol);
  // Each opens the confirmation of its button.
  useActions([
    key('close', 'Close the position of this pair', 'X', () => shownPosition && closing.ask(shownPosition)),
    key(
      'reverse',
      'Reverse the position of this pair',
      'R',
      () => shownPosition && reversing.ask(shownPosition),
    ),
    key(
      'close-all',
      'Close all shown positions',
      'Shift+X',
      () => openRows.length > 0 && closingAll.ask(openRows),
    ),
    key('cancel', 'Cancel the last order', 'C', () => {
      const [last] = orderRows;
      if (last) canceling.ask(last);
    }),
  ]);
  const options = useMemo(
    () => ({
      stepsOf,
      onSelect,
      onProtect: protecting.ask,
      onClose: closing.ask,
      onReverse: reversing.ask,
      onCancel: canceling.ask,
      onExplain: explaining.ask,
    }),
    [stepsOf, onSelect, protecting.ask, closing.ask, reversing.ask, canceling.ask, explaining.ask],
  );
  const body =
    '@container min-h-0 grow overflow-auto outline-none lg:[&_[role=alert]]:py-2 max-md:overflow-visible max-md:p-4';
  // The panel is 140 px high at 1440×900: an empty table shows the next step without a scroll, beside the first steps too.
  const lowBody = `${body} lg:[&_[data-empty]]:py-5`;
  const fallbackFocus = () => section.current?.querySelector<HTMLElement>('[role=tab][data-state=active]');
  const actions: Readonly<Record<Tab, ReactNode>> = {
    open:
      openRows.length === 0 ? null : (
        <Button size="compact" onClick={() => closingAll.ask(openRows)}>
          Close all
        </Button>
      ),
    history: (
      <span className="flex items-center gap-2">
        <DaysMenu {...dayRange} />
        <ExportButton closed={closed} filter={history} />
      </span>
    ),
    orders:
      orderRows.length === 0 ? null : (
        <Button size="compact" onClick={() => cancelingAll.ask(orderRows)}>
          Cancel all
        </Button>
      ),
    'order-history': <DaysMenu {...dayRange} />,
    alerts: null,
  };
  // A first position comes before what explains it.
  const guide = firstSteps ? (
    <FirstStepsCard
      steps={allSteps}
      done={firstSteps.done}
      onDismiss={firstSteps.dismiss}
      waiting={<div className="h-20 border-b border-line max-md:hidden" />}
    />
  ) : null;
  const tools = (
    <PanelTools
      symbol={symbol}
      total={tab === 'open' && openRows.length > 0 ? <TotalPnl positions={openRows} /> : null}
      action={actions[tab]}
    />
  );
  return (
    <section ref={section} aria-label="Positions" className="flex min-h-0 grow flex-col bg-surface">
      <Tabs<Tab>
        label="Positions"
        tabs={[
          { value: 'open', label: 'Open Positions', count: formatCount(open.data, only) },
          { value: 'history', label: 'Position History' },
          { value: 'orders', label: 'Open Orders', count: formatCount(orders.data, only) },
          { value: 'order-history', label: 'Order History' },
          ...(isOwn
            ? [{ value: 'alerts' as const, label: 'Alerts', count: waitingAlerts || undefined }]
            : []),
        ]}
        value={tab}
        onChange={setTab}
        aside={isPhone ? null : tools}
        className="flex min-h-0 grow flex-col"
      >
        {isPhone ? tools : null}
        <TabPanel value="open" className={guide ? `${body} lg:[&_[data-empty]]:py-1` : lowBody}>
          {openRows.length === 0 ? guide : null}
          {isPhone && openRows.length > 0 ? <PhoneTotals positions={openRows} /> : null}
          <RowList table={openPositions} list={shownOpen} only={only} options={options} onPress={showPair} />
          {openRows.length > 0 ? guide : null}
        </TabPanel>
        <TabPanel value="history" className={lowBody}>
          <RowList table={positionHistory} list={closed} only={only} dayRange={dayRange} options={options} />
        </TabPanel>
        <TabPanel value="orders" className={lowBody}>
          <RowList table={openOrders} list={shownOrders} only={only} options={options} onPress={showPair} />
        </TabPanel>
        <TabPanel value="order-history" className={lowBody}>
          <OrderHistory list={past} only={only} dayRange={dayRange} stepsOf={stepsOf} />
        </TabPanel>
        <TabPanel value="alerts" className={lowBody}>
          <Suspense fallback={null}>
            <AlertsTab pairs={pairs} only={only} symbol={symbol} onSelect={onSelect} />
          </Suspense>
        </TabPanel>
      </Tabs>
      <PanelDialogs
        closing={closing}
        closingAll={closingAll}
        reversing={reversing}
        protecting={protecting}
        canceling={canceling}
        cancelingAll={cancelingAll}
        explaining={explaining}
        only={only}
        stepsOf={stepsOf}
        fallbackFocus={fallbackFocus}
      />
    </section>
  );
}
