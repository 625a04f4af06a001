/** The sums of closing positions or parts of them at their marks, shown before the user confirms. */
import { type FeeRate, NO_FEE } from '@fulcrum/domain';
import { type ReactNode, useMemo } from 'react';
import { useWallet } from '../../../shared/account/index.ts';
import { FigureLine, FigureLines } from '../../../shared/figure-lines/FigureLines.tsx';
import { Amount, formatAmount, LiveFigure } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { usePriceStream } from '../../market/index.ts';
import { formatSigned } from '../ticket/AccountStrip.tsx';
import { createClosingValueSource, followBalanceAfter, followCloseFees, totalMargin } from './figures.ts';

/** The sums of closing these positions. */
export function ClosingSums({
  positions,
  reopening = NO_FEE,
  children,
}: {
  readonly positions: readonly Position[];
  /** The fee rate at which the same sizes open again. */
  readonly reopening?: FeeRate;
  /** Additional lines. */
  readonly children?: ReactNode;
}) {
  const stream = usePriceStream();
  const { data: wallet } = useWallet();
  // Undefined means not loaded yet; null means no wallet.
  const balance = wallet === undefined ? null : (wallet?.balance ?? 0);
  const sums = useMemo(
    () => ({
      booked: createClosingValueSource(stream, positions, 0),
      fees: followCloseFees(stream, positions),
      after: followBalanceAfter(stream, positions, balance, reopening),
    }),
    [stream, positions, balance, reopening],
  );
  const hasFees = positions.some(({ feeRate }) => feeRate > 0);
  return (
    <FigureLines>
      <FigureLine label="Result, about">
        <LiveFigure source={sums.booked} format={formatSigned} colour="sign" className="font-semibold" />
      </FigureLine>
      {hasFees ? (
        <FigureLine label="Fees, about">
          <LiveFigure source={sums.fees} format={formatAmount} flashes={false} />
        </FigureLine>
      ) : null}
      <FigureLine label="Margin freed">
        <Amount value={totalMargin(positions)} />
      </FigureLine>
      {children}
      <FigureLine label="Balance becomes, about">
        <Amount value={wallet?.balance} className="font-normal text-text-3" />{' '}
        <span className="text-text-3">→</span>{' '}
        <LiveFigure source={sums.after} format={formatAmount} flashes={false} />
      </FigureLine>
    </FigureLines>
  );
}
