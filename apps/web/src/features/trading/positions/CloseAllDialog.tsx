/**
 * The confirmation before all shown positions are closed: each with its present result, the sum, and the balance
 * after it.
 */
import { useMemo } from 'react';
import { sideLabel } from '../../../shared/account/index.ts';
import { Pnl, Size } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { BatchDialog } from '../BatchDialog.tsx';
import { getSendable, type PlanRow } from '../batch-plan.ts';
import { ClosingSums } from './ClosingSums.tsx';
import type { ClosingAll } from './closing-all.ts';
import { LiveClosingPnl, SideBadge } from './PositionFigures.tsx';
import type { PanelDialogProps } from './panel-dialog.ts';

interface CloseAllDialogProps extends PanelDialogProps {
  readonly closingAll: ClosingAll;
  readonly rows: readonly PlanRow<Position, Position>[];
}

const counted = (count: number) => (count === 1 ? '1 position' : `${count} positions`);

export function CloseAllDialog({ closingAll, rows, only, stepsOf, fallbackFocus }: CloseAllDialogProps) {
  const { later, running, close, stop, end } = closingAll;
  const left = useMemo(() => getSendable(rows), [rows]);
  return (
    <BatchDialog<Position, Position>
      labels={{
        title: only === null ? 'Close all positions?' : `Close all ${only} positions?`,
        keep: 'Keep them open',
        action: (count) => `Close ${counted(count)}`,
        done: 'closed',
        blocked: ({ symbol }) =>
          later[symbol] === 'next price' ? 'Price held back, stays open' : 'Market closed, stays open',
        gone: 'Closed meanwhile',
        noneLeft: 'No position is left to close',
        nameOf: ({ symbol, side }) => `${symbol} ${sideLabel(side).toLowerCase()}`,
      }}
      rows={rows}
      running={running}
      onRun={close}
      onStop={stop}
      onEnd={end}
      fallbackFocus={fallbackFocus}
      label={({ symbol, side, size, leverage }) => (
        <span className="flex min-w-0 items-center gap-2">
          <span className="font-semibold">{symbol}</span>
          <SideBadge side={side} leverage={leverage} />
          <Size value={size} stepSize={stepsOf(symbol).stepSize} className="text-text-2" />
        </span>
      )}
      estimate={(position) => <LiveClosingPnl position={position} className="font-medium" />}
      result={({ realizedPnl }) => (
        <span className="text-text-2">
          Closed <Pnl value={realizedPnl} className="font-medium" />
        </span>
      )}
    >
      <ClosingSums positions={left} />
    </BatchDialog>
  );
}
