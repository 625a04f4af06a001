/** TRADE-26: open positions and the history of closed ones, beneath the chart. */
import { texts } from '@fulcrum/contract/texts';
import { type ReactNode, useRef, useState } from 'react';
import { useClosedPositions, useOpenPositions } from '../../../shared/account/index.ts';
import { formatAmount, LiveFigure } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import {
  EmptyState,
  ErrorState,
  SkeletonRows,
  Table,
  TabPanel,
  Tabs,
  usePhone,
} from '../../../shared/ui/index.ts';
import { formatSigned, useAccountSources } from '../ticket/AccountStrip.tsx';
import { CloseDialog } from './CloseDialog.tsx';
import { useClosing } from './closing.ts';
import { OpenPositionCards, OpenPositionsTable, openPositionsHead } from './OpenPositions.tsx';
import { HistoryCards, HistoryTable, historyHead } from './PositionHistory.tsx';
import type { StepsOf } from './steps.ts';

type Tab = 'open' | 'history';
const placeholderRows = 3;
const openWidths = ['96px', '44px', '64px', '72px', '72px', '72px', '60px', '110px', '52px'];
const historyWidths = ['96px', '44px', '64px', '72px', '72px', '72px', '52px', '110px'];

interface ListProps {
  readonly list: ReturnType<typeof useOpenPositions>;
  readonly head: ReactNode;
  readonly widths: readonly string[];
  readonly caption: string;
  readonly empty: ReactNode;
  readonly children: (positions: readonly Position[]) => ReactNode;
}

/** A list of positions in whichever state it is. */
function PositionList({ list, head, widths, caption, empty, children }: ListProps) {
  const { data: positions, isError, isFetching, refetch } = list;
  if (positions) return positions.length === 0 ? empty : children(positions);
  if (isError) {
    return <ErrorState title={texts.fetchPositionsFailed} onRetry={() => refetch()} retrying={isFetching} />;
  }
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
  const section = useRef<HTMLElement>(null);
  const open = useOpenPositions();
  const closed = useClosedPositions();
  const Open = isPhone ? OpenPositionCards : OpenPositionsTable;
  const History = isPhone ? HistoryCards : HistoryTable;
  const body =
    'min-h-0 grow overflow-auto outline-none lg:[&_[role=alert]]:py-2 max-md:overflow-visible max-md:p-4';
  return (
    <section ref={section} aria-label="Positions" className="flex min-h-0 grow flex-col bg-surface">
      <Tabs<Tab>
        label="Positions"
        tabs={[
          { value: 'open', label: 'Open Positions', count: open.data?.length },
          { value: 'history', label: 'Position History' },
        ]}
        value={tab}
        onChange={setTab}
        aside={<TotalPnl />}
        className="flex min-h-0 grow flex-col"
      >
        <TabPanel value="open" className={body}>
          {isPhone && open.data && open.data.length > 0 ? <PhoneTotals /> : null}
          <PositionList
            list={open}
            head={openPositionsHead}
            widths={openWidths}
            caption="Open positions"
            empty={
              <EmptyState title="No open positions">
                Enter an amount, then choose Buy/Long or Sell/Short.
              </EmptyState>
            }
          >
            {(positions) => (
              <Open positions={positions} stepsOf={stepsOf} onSelect={onSelect} onClose={closing.ask} />
            )}
          </PositionList>
        </TabPanel>
        <TabPanel value="history" className={body}>
          <PositionList
            list={closed}
            head={historyHead}
            widths={historyWidths}
            caption="Closed positions"
            empty={
              <EmptyState title="No closed positions">
                What you close appears here with its result.
              </EmptyState>
            }
          >
            {(positions) => <History positions={positions} stepsOf={stepsOf} />}
          </PositionList>
        </TabPanel>
      </Tabs>
      {closing.position ? (
        <CloseDialog
          key={closing.position.id}
          position={closing.position}
          steps={stepsOf(closing.position.symbol)}
          closing={closing}
          fallbackFocus={() => section.current?.querySelector<HTMLElement>('[role=tab][data-state=active]')}
        />
      ) : null}
    </section>
  );
}
