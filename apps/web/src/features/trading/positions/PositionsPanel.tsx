/** TRADE-26, A20: open positions and the history of closed ones, open orders and final ones, beneath the chart. */
import { texts } from '@fulcrum/contract/texts';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import {
  useClosedPositions,
  useOpenOrders,
  useOpenPositions,
  usePastOrders,
} from '../../../shared/account/index.ts';
import { formatAmount, LiveFigure } from '../../../shared/numbers/index.ts';
import {
  EmptyState,
  ErrorState,
  SkeletonRows,
  Table,
  TabPanel,
  Tabs,
  usePhone,
} from '../../../shared/ui/index.ts';
import { useAskedFromChart } from '../lines/asked-from-chart.ts';
import { CancelDialog } from '../orders/CancelDialog.tsx';
import { useCanceling } from '../orders/canceling.ts';
import { OpenOrderCards, OpenOrdersTable, openOrdersHead } from '../orders/OpenOrders.tsx';
import { OrderHistoryCards, OrderHistoryTable, orderHistoryHead } from '../orders/OrderHistory.tsx';
import { formatSigned, useAccountSources } from '../ticket/AccountStrip.tsx';
import { CloseDialog } from './CloseDialog.tsx';
import { useClosing } from './closing.ts';
import { OpenPositionCards, OpenPositionsTable, openPositionsHead } from './OpenPositions.tsx';
import { HistoryCards, HistoryTable, historyHead } from './PositionHistory.tsx';
import { ProtectionDialog } from './ProtectionDialog.tsx';
import { useProtecting } from './protecting.ts';
import { ReopenDialog } from './ReopenDialog.tsx';
import type { StepsOf } from './steps.ts';

type Tab = 'open' | 'history' | 'orders' | 'order-history';
const placeholderRows = 3;
const openWidths = ['96px', '44px', '64px', '72px', '72px', '72px', '60px', '110px', '150px'];
const historyWidths = ['96px', '44px', '64px', '72px', '72px', '72px', '52px', '110px'];
const orderWidths = ['96px', '40px', '44px', '64px', '72px', '72px', '100px', '60px', '110px', '52px'];
const orderHistoryWidths = ['96px', '40px', '44px', '64px', '72px', '100px', '120px', '110px'];

interface RowListProps<Row> {
  readonly list: UseQueryResult<readonly Row[]>;
  readonly head: ReactNode;
  readonly widths: readonly string[];
  readonly caption: string;
  readonly failed: string;
  readonly empty: ReactNode;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** A list of positions or orders in whichever state it is. */
function RowList<Row>({ list, head, widths, caption, failed, empty, children }: RowListProps<Row>) {
  const { data: rows, isError, isFetching, refetch } = list;
  if (rows) return rows.length === 0 ? empty : children(rows);
  if (isError) return <ErrorState title={failed} onRetry={() => refetch()} retrying={isFetching} />;
  return (
    <Table caption={`${caption}, loading`} head={head}>
      <SkeletonRows rows={placeholderRows} widths={widths} />
    </Table>
  );
}

const formatMoney = (value: number | null | undefined) => formatAmount(value);

function TotalPnl() {
  const account = useAccountSources();
  if (!account) return null;
  return (
    <span className="shrink-0 pr-4 text-12 text-text-2 max-md:hidden">
      Total PnL{' '}
      <LiveFigure source={account.unrealized} format={formatSigned} colour="sign" className="font-semibold" />
    </span>
  );
}

function PhoneTotals() {
  const account = useAccountSources();
  if (!account) return null;
  return (
    <p className="flex justify-between pb-3 text-13 text-text-2">
      <span>
        Unrealized{' '}
        <LiveFigure
          source={account.unrealized}
          format={formatSigned}
          colour="sign"
          className="font-semibold"
        />
      </span>
      <span>
        Equity{' '}
        <LiveFigure
          source={account.equity}
          format={formatMoney}
          flashes={false}
          className="font-semibold text-text"
        />
      </span>
    </p>
  );
}

interface PositionsPanelProps {
  readonly stepsOf: StepsOf;
  readonly onSelect: (symbol: string) => void;
}

export function PositionsPanel({ stepsOf, onSelect }: PositionsPanelProps) {
  const isPhone = usePhone();
  const [tab, setTab] = useState<Tab>('open');
  const closing = useClosing(stepsOf);
  const protecting = useProtecting();
  const canceling = useCanceling(stepsOf);
  useAskedFromChart(closing.ask, canceling.ask);
  const section = useRef<HTMLElement>(null);
  const open = useOpenPositions();
  const closed = useClosedPositions();
  const orders = useOpenOrders();
  const past = usePastOrders();
  const Open = isPhone ? OpenPositionCards : OpenPositionsTable;
  const History = isPhone ? HistoryCards : HistoryTable;
  const Orders = isPhone ? OpenOrderCards : OpenOrdersTable;
  const OrderHistory = isPhone ? OrderHistoryCards : OrderHistoryTable;
  const body =
    'min-h-0 grow overflow-auto outline-none lg:[&_[role=alert]]:py-2 max-md:overflow-visible max-md:p-4';
  const fallbackFocus = () => section.current?.querySelector<HTMLElement>('[role=tab][data-state=active]');
  return (
    <section ref={section} aria-label="Positions" className="flex min-h-0 grow flex-col bg-surface">
      <Tabs<Tab>
        label="Positions"
        tabs={[
          { value: 'open', label: 'Open Positions', count: open.data?.length },
          { value: 'history', label: 'Position History' },
          { value: 'orders', label: 'Open Orders', count: orders.data?.length },
          { value: 'order-history', label: 'Order History' },
        ]}
        value={tab}
        onChange={setTab}
        aside={<TotalPnl />}
        className="flex min-h-0 grow flex-col"
      >
        <TabPanel value="open" className={body}>
          {isPhone && open.data && open.data.length > 0 ? <PhoneTotals /> : null}
          <RowList
            list={open}
            head={openPositionsHead}
            widths={openWidths}
            caption="Open positions"
            failed={texts.fetchPositionsFailed}
            empty={
              <EmptyState title="No open positions">
                Enter an amount, then choose Buy/Long or Sell/Short.
              </EmptyState>
            }
          >
            {(positions) => (
              <Open
                positions={positions}
                stepsOf={stepsOf}
                onSelect={onSelect}
                onProtect={protecting.ask}
                onClose={closing.ask}
              />
            )}
          </RowList>
        </TabPanel>
        <TabPanel value="history" className={body}>
          <RowList
            list={closed}
            head={historyHead}
            widths={historyWidths}
            caption="Closed positions"
            failed={texts.fetchPositionsFailed}
            empty={
              <EmptyState title="No closed positions">
                What you close appears here with its result.
              </EmptyState>
            }
          >
            {(positions) => <History positions={positions} stepsOf={stepsOf} />}
          </RowList>
        </TabPanel>
        <TabPanel value="orders" className={body}>
          <RowList
            list={orders}
            head={openOrdersHead}
            widths={orderWidths}
            caption="Open orders"
            failed={texts.fetchOrdersFailed}
            empty={
              <EmptyState title="No open orders">
                A Limit or Stop order waits here until the market reaches its price.
              </EmptyState>
            }
          >
            {(rows) => (
              <Orders orders={rows} stepsOf={stepsOf} onSelect={onSelect} onCancel={canceling.ask} />
            )}
          </RowList>
        </TabPanel>
        <TabPanel value="order-history" className={body}>
          <RowList
            list={past}
            head={orderHistoryHead}
            widths={orderHistoryWidths}
            caption="Order history"
            failed={texts.fetchOrdersFailed}
            empty={
              <EmptyState title="No past orders">
                Filled, rejected and canceled orders appear here.
              </EmptyState>
            }
          >
            {(rows) => <OrderHistory orders={rows} stepsOf={stepsOf} />}
          </RowList>
        </TabPanel>
      </Tabs>
      {closing.position && closing.isAtReopen ? (
        <ReopenDialog
          key={closing.position.id}
          position={closing.position}
          steps={stepsOf(closing.position.symbol)}
          onEnd={closing.cancel}
          fallbackFocus={fallbackFocus}
        />
      ) : null}
      {closing.position && !closing.isAtReopen ? (
        <CloseDialog
          key={closing.position.id}
          position={closing.position}
          steps={stepsOf(closing.position.symbol)}
          closing={closing}
          fallbackFocus={fallbackFocus}
        />
      ) : null}
      {protecting.position ? (
        <ProtectionDialog
          key={protecting.position.id}
          position={protecting.position}
          steps={stepsOf(protecting.position.symbol)}
          protecting={protecting}
          fallbackFocus={fallbackFocus}
        />
      ) : null}
      {canceling.order ? (
        <CancelDialog
          key={canceling.order.id}
          order={canceling.order}
          steps={stepsOf(canceling.order.symbol)}
          canceling={canceling}
          fallbackFocus={fallbackFocus}
        />
      ) : null}
    </section>
  );
}
