/** Open positions as a table, or as cards on a phone (TRADE-46 to TRADE-49). */
import { memo } from 'react';
import { sideLabel } from '../../../shared/account/index.ts';
import { Amount, formatPrice, Price, Size } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { Button, InstrumentMark, Table, Td, Th, Tr } from '../../../shared/ui/index.ts';
import { CloseAtReopenMark, CloseButton } from './CloseButton.tsx';
import { JournalLink } from './JournalLink.tsx';
import {
  AdjustedIcon,
  AdjustedMark,
  ClosingPnlNote,
  LiquidationPrice,
  LivePnl,
  LiveRoe,
  MarkPrice,
  MarkPriceStatus,
  SideBadge,
  tableStyles,
} from './PositionFigures.tsx';
import type { Steps, StepsOf } from './steps.ts';

interface OpenPositionsProps {
  readonly positions: readonly Position[];
  readonly stepsOf: StepsOf;
  readonly onSelect: (symbol: string) => void;
  readonly onProtect: (position: Position) => void;
  readonly onClose: (position: Position) => void;
}

interface RowProps extends Omit<OpenPositionsProps, 'positions' | 'stepsOf'> {
  readonly position: Position;
  readonly steps: Steps;
}

/** The column that a narrow table hides first. */
const marginColumn = 'max-xl:hidden';

interface ProtectionButtonProps {
  readonly position: Position;
  readonly tickSize: number;
  readonly onPress: (position: Position) => void;
}

const narrow = { 'text-up': 'max-xl:text-up', 'text-down': 'max-xl:text-down' } as const;

/** Both prices, or a label for the missing ones; opens the dialog that sets them (A21). */
function ProtectionButton({ position, tickSize, onPress }: ProtectionButtonProps) {
  const { symbol, side, takeProfitPrice, stopLossPrice } = position;
  const parts = [
    { name: 'Take profit', short: 'TP', price: takeProfitPrice, colour: 'text-up' },
    { name: 'Stop loss', short: 'SL', price: stopLossPrice, colour: 'text-down' },
  ] as const;
  return (
    <button
      type="button"
      onClick={() => onPress(position)}
      className="figures inline-flex h-7 items-center gap-2 rounded-control border border-line px-2 text-12 max-xl:gap-1 max-xl:px-1.5 text-text-3 transition-colors hover:border-text-3 hover:bg-raised"
    >
      {parts.map(({ name, short, price, colour }, index) => (
        <span key={short} className={index === 0 ? '' : 'border-l border-line pl-2 max-xl:pl-1'}>
          <span aria-hidden="true" className={price === null ? '' : `max-xl:font-medium ${narrow[colour]}`}>
            {short}{' '}
          </span>
          <span className="sr-only">{name} </span>
          {/* A narrow table shows which of them are set, without their prices. */}
          <span className={`max-xl:sr-only ${price === null ? 'text-text-2' : `font-medium ${colour}`}`}>
            {price === null ? 'Add' : formatPrice(price, tickSize)}
          </span>
        </span>
      ))}
      <span className="sr-only">{`, ${symbol} ${sideLabel(side).toLowerCase()}`}</span>
    </button>
  );
}

const PositionRow = memo(function PositionRow({ position, steps, onSelect, onProtect, onClose }: RowProps) {
  const { symbol, side, size, leverage, entryPrice, margin, editedAt } = position;
  const { tickSize, stepSize } = steps;
  return (
    <Tr>
      <Td>
        <button
          type="button"
          title={`Show ${symbol}`}
          onClick={() => onSelect(symbol)}
          className="flex h-6 items-center gap-2.5 font-semibold hover:text-accent"
        >
          <span className="max-xl:hidden">
            <InstrumentMark symbol={symbol} size={20} />
          </span>
          {symbol}
        </button>
      </Td>
      <Td>
        <span className="inline-flex items-center gap-1">
          <SideBadge side={side} />
          {editedAt === null ? null : <AdjustedIcon />}
        </span>
      </Td>
      <Td numeric>
        <Size value={size} stepSize={stepSize} className="font-medium" />{' '}
        <span className="text-text-3">{leverage}×</span>
      </Td>
      <Td numeric>
        <Price value={entryPrice} tickSize={tickSize} />
      </Td>
      <Td numeric>
        <MarkPriceStatus symbol={symbol} steps={steps} className="mr-1.5" />
        <MarkPrice
          symbol={symbol}
          markPrice={position.markPrice}
          tickSize={tickSize}
          className="font-semibold"
        />
      </Td>
      <Td numeric>
        <LiquidationPrice position={position} tickSize={tickSize} />
      </Td>
      <Td numeric className={marginColumn}>
        <Amount value={margin} />
      </Td>
      <Td numeric>
        <LivePnl position={position} className="font-semibold" /> <LiveRoe position={position} bracketed />
        <ClosingPnlNote position={position} className="block leading-3" />
      </Td>
      <Td numeric>
        <span className="inline-flex items-center gap-1.5">
          <ProtectionButton position={position} tickSize={tickSize} onPress={onProtect} />
          <CloseAtReopenMark position={position} className="w-14 whitespace-normal leading-3" />
          <CloseButton position={position} size="compact" onClose={onClose} />
          <JournalLink position={position} />
        </span>
      </Td>
    </Tr>
  );
});

export const openPositionsHead = (
  <>
    <Th>Symbol</Th>
    <Th>Side</Th>
    <Th numeric>Size</Th>
    <Th numeric>Entry Price</Th>
    <Th numeric>Mark Price</Th>
    <Th numeric>Liq. Price</Th>
    <Th numeric className={marginColumn}>
      Margin
    </Th>
    <Th numeric>PnL (ROE%)</Th>
    <Th numeric>Actions</Th>
  </>
);

export function OpenPositionsTable({ positions, stepsOf, ...actions }: OpenPositionsProps) {
  return (
    <Table caption="Open positions" head={openPositionsHead} className={tableStyles}>
      {positions.map((position) => (
        <PositionRow key={position.id} position={position} steps={stepsOf(position.symbol)} {...actions} />
      ))}
    </Table>
  );
}

const PositionCard = memo(function PositionCard({ position, steps, onSelect, onProtect, onClose }: RowProps) {
  const { symbol, side, size, leverage, entryPrice, margin, editedAt } = position;
  const { tickSize, stepSize, baseAsset } = steps;
  return (
    <li className="panel px-3.5 py-3">
      <div className="flex items-center justify-between gap-3">
        <button
          type="button"
          onClick={() => onSelect(symbol)}
          className="-my-2 flex h-11 min-w-0 items-center gap-2.5 text-14 font-semibold"
        >
          <InstrumentMark symbol={symbol} size={24} />
          {symbol}
          <SideBadge side={side} leverage={leverage} />
        </button>
        <LivePnl position={position} className="text-16 font-semibold" />
      </div>
      <div className="mt-1 flex justify-between text-12">
        <Size value={size} stepSize={stepSize} unit={baseAsset} className="text-text-2" />
        <span>
          <LiveRoe position={position} className="font-medium" /> <span className="text-text-3">ROE</span>
        </span>
      </div>
      <ClosingPnlNote position={position} className="mt-1 block text-right" />
      <CloseAtReopenMark position={position} className="mt-1 block text-right" />
      {editedAt === null ? null : (
        <div className="mt-1.5">
          <AdjustedMark />
        </div>
      )}
      <dl className="mt-2.5 grid grid-cols-3 gap-x-2 gap-y-1.5 text-13 max-[359px]:grid-cols-2 min-[360px]:[&>div:nth-child(3n)]:text-right [&_dt]:text-12 [&_dt]:text-text-3">
        <div>
          <dt>Entry</dt>
          <dd className="font-medium">
            <Price value={entryPrice} tickSize={tickSize} />
          </dd>
        </div>
        <div>
          <dt>
            Mark <MarkPriceStatus symbol={symbol} steps={steps} className="ml-1" />
          </dt>
          <dd className="font-medium">
            <MarkPrice symbol={symbol} markPrice={position.markPrice} tickSize={tickSize} />
          </dd>
        </div>
        <div>
          <dt>Liq.</dt>
          <dd className="font-medium">
            <LiquidationPrice position={position} tickSize={tickSize} />
          </dd>
        </div>
        <div>
          <dt>Margin</dt>
          <dd className="font-medium">
            <Amount value={margin} />
          </dd>
        </div>
        <div>
          <dt>Take Profit</dt>
          <dd className={position.takeProfitPrice === null ? '' : 'font-medium text-up'}>
            <Price value={position.takeProfitPrice} tickSize={tickSize} />
          </dd>
        </div>
        <div>
          <dt>Stop Loss</dt>
          <dd className={position.stopLossPrice === null ? '' : 'font-medium text-down'}>
            <Price value={position.stopLossPrice} tickSize={tickSize} />
          </dd>
        </div>
      </dl>
      <div className="mt-3 flex gap-2">
        <Button
          className="flex-1"
          aria-label={`TP / SL, ${symbol} ${sideLabel(side).toLowerCase()}`}
          onClick={() => onProtect(position)}
        >
          TP / SL
        </Button>
        <CloseButton position={position} className="flex-1" onClose={onClose} />
        <JournalLink position={position} />
      </div>
    </li>
  );
});

export function OpenPositionCards({ positions, stepsOf, ...actions }: OpenPositionsProps) {
  return (
    <ul className="flex flex-col gap-2.5">
      {positions.map((position) => (
        <PositionCard key={position.id} position={position} steps={stepsOf(position.symbol)} {...actions} />
      ))}
    </ul>
  );
}
