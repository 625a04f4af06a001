/**
 * The tools at the right of the panel's tabs, on a phone beneath them: the filter, the total of the shown rows, and
 * the action on all of them.
 */
import { type ReactNode, useMemo } from 'react';
import { formatAmount, LiveFigure } from '../../../shared/numbers/index.ts';
import { setPreference, usePreference } from '../../../shared/preferences/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { Checkbox } from '../../../shared/ui/index.ts';
import { usePriceStream } from '../../market/index.ts';
import { formatSigned, useAccountSources } from '../ticket/AccountStrip.tsx';
import { createTotalPnlSource } from './figures.ts';

export function TotalPnl({ positions }: { readonly positions: readonly Position[] }) {
  const stream = usePriceStream();
  const source = useMemo(() => createTotalPnlSource(stream, positions), [stream, positions]);
  return (
    <span className="text-12 whitespace-nowrap text-text-2">
      Total PnL <LiveFigure source={source} format={formatSigned} colour="sign" className="font-semibold" />
    </span>
  );
}

export function PhoneTotals({ positions }: { readonly positions: readonly Position[] }) {
  const stream = usePriceStream();
  const account = useAccountSources();
  const source = useMemo(() => createTotalPnlSource(stream, positions), [stream, positions]);
  return (
    <p className="flex justify-between pb-3 text-13 text-text-2">
      <span>
        Unrealized{' '}
        <LiveFigure source={source} format={formatSigned} colour="sign" className="font-semibold" />
      </span>
      <span>
        Equity{' '}
        {account ? (
          <LiveFigure
            source={account.equity}
            format={formatAmount}
            flashes={false}
            className="font-semibold text-text"
          />
        ) : null}
      </span>
    </p>
  );
}

/** The pair that the panel is limited to, or null. */
export const useShownPair = (symbol: string): string | null =>
  usePreference('showsPairOnly') ? symbol : null;

interface PanelToolsProps {
  readonly symbol: string;
  readonly total: ReactNode;
  readonly action: ReactNode;
}

export function PanelTools({ symbol, total, action }: PanelToolsProps) {
  const shown = usePreference('showsPairOnly');
  return (
    <div className="flex shrink-0 items-center gap-4 pr-3 pl-2 max-xl:md:gap-2 max-md:justify-between max-md:px-4 max-md:pt-2">
      <Checkbox checked={shown} onChange={(next) => setPreference('showsPairOnly', next)}>
        {`${symbol} only`}
      </Checkbox>
      <span className="max-xl:hidden empty:hidden">{total}</span>
      {action}
    </div>
  );
}
