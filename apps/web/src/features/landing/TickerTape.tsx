/**
 * The ticker tape: static, scrolled by hand where it does not fit. A switch replaces it with the third party's (A35).
 */
import { useState } from 'react';
import { formatPercent, formatPrice } from '../../shared/numbers/index.ts';
import { stateLabels } from '../../shared/prices/state-labels.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Skeleton } from '../../shared/ui/states.tsx';
import { ThirdPartyTickerTape } from './ThirdPartyTickerTape.tsx';
import {
  type SparklineValues,
  type TickerFigure,
  toLinePoints,
  toTickerFigures,
  useTickerTape,
} from './ticker-tape.ts';

const line = { width: 48, height: 18 } as const;
/** Shown for a missing figure. */
const noFigure = '--';

function Sparkline({ values, colour }: { readonly values: readonly number[]; readonly colour: string }) {
  const { width, height } = line;
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 -1 ${width} ${height + 2}`}
      aria-hidden="true"
      className={`shrink-0 ${colour}`}
    >
      <polyline
        points={toLinePoints(values, width, height)}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.3"
        strokeLinejoin="round"
      />
    </svg>
  );
}

const isOrdinary = ({ state }: TickerFigure) =>
  state === 'live' || state === 'simulated' || state === 'replay' || state === 'missing';

function Figures({ figure }: { readonly figure: TickerFigure }) {
  const { price, changePercent, tickSize } = figure;
  const change = changePercent ?? null;
  return (
    <span className="figures flex gap-1.5 text-12 whitespace-nowrap text-text-2">
      <span>{price === null ? noFigure : formatPrice(price, tickSize)}</span>
      {price === null ? null : (
        <span className={changeColour(change)}>{change === null ? noFigure : formatPercent(change)}</span>
      )}
    </span>
  );
}

/** A change of 0 is green, as on every other screen. */
const changeColour = (change: number | null): string =>
  change === null ? 'text-text-3' : change >= 0 ? 'text-up' : 'text-down';

interface CellProps {
  /** Null before the first read. */
  readonly figure: TickerFigure | null;
  readonly name: string;
  readonly values: readonly number[];
}

function Cell({ figure, name, values }: CellProps) {
  return (
    <li className="flex shrink-0 grow items-center justify-between gap-2 border-r border-line px-2.5 min-[1600px]:px-4">
      <span>
        <span className="flex items-center gap-1.5 text-12 font-medium whitespace-nowrap">
          {name}
          {figure && !isOrdinary(figure) ? (
            <span className="rounded-[4px] bg-line px-1 text-11 font-normal text-text-2">
              {stateLabels[figure.state].label}
            </span>
          ) : null}
        </span>
        {figure ? <Figures figure={figure} /> : <Skeleton className="h-3 w-[104px]" />}
      </span>
      <Sparkline values={values} colour={changeColour(figure?.changePercent ?? null)} />
    </li>
  );
}

interface BuiltInTickerTapeProps {
  readonly onLeave: () => void;
}

function BuiltInTickerTape({ onLeave }: BuiltInTickerTapeProps) {
  const { rows, lines } = useTickerTape();
  const read = rows.status === 'ready' ? rows.value : [];
  const ageMs = rows.status === 'ready' && rows.failures > 0 ? Date.now() - rows.readAt : 0;
  const figures = toTickerFigures(read, ageMs);
  const isSimulated = figures.some(({ state }) => state === 'simulated');
  const linesBySymbol: SparklineValues = lines;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
    <section tabIndex={0} aria-label="Market prices" className="h-full overflow-x-auto -outline-offset-2">
      <ul className="flex h-full min-w-full [scrollbar-width:none]">
        {figures.map((figure) => (
          <Cell
            key={figure.symbol}
            name={figure.name}
            figure={rows.status === 'loading' ? null : figure}
            values={linesBySymbol[figure.symbol] ?? []}
          />
        ))}
        <li className="flex shrink-0 items-center gap-1 px-2 md:flex-col md:justify-center md:gap-0">
          {isSimulated ? <Badge tone="warn">Simulated</Badge> : null}
          <Button tone="quiet" size="compact" className="!h-6 max-md:!h-11" onClick={onLeave}>
            TradingView
          </Button>
        </li>
      </ul>
    </section>
  );
}

export function TickerTape() {
  const [isThirdParty, setThirdParty] = useState(false);
  return (
    <div className="h-[53px] border-b border-line bg-surface">
      {isThirdParty ? (
        <ThirdPartyTickerTape onLeave={() => setThirdParty(false)} />
      ) : (
        <BuiltInTickerTape onLeave={() => setThirdParty(true)} />
      )}
    </div>
  );
}
