/** The figures, each with a definition that opens on click. */
import type { Performance } from '@fulcrum/contract';
import type { ReactNode } from 'react';
import { Amount, noFigure, Pnl, Share } from '../../shared/numbers/index.ts';
import { FigureCellSkeletons, figureCell } from '../../shared/ui/FigureCells.tsx';
import { Term } from '../../shared/ui/Term.tsx';
import { type Definition, formatHolding, getDefinitions, getSideDefinition } from './definitions.ts';

const grid = 'grid grid-cols-6 gap-px border-y border-line bg-line max-xl:grid-cols-4 max-md:grid-cols-2';
/** Beneath them. */
const sides = 'grid grid-cols-2 gap-px border-b border-line bg-line';
const figureCount = 12;

interface CellProps {
  readonly definition: Definition;
  readonly figure: ReactNode;
  readonly beneath: ReactNode;
}

function Cell({ definition: { term, meaning, sum }, figure, beneath }: CellProps) {
  return (
    <div className={figureCell}>
      <dt className="flex h-6 items-center">
        <Term term={term}>
          <p className="text-text-2">{meaning}</p>
          <p className="figures mt-2 border-t border-line pt-2 wrap-anywhere">{sum}</p>
        </Term>
      </dt>
      <dd className="mt-0.5">
        <span className="block truncate text-16 font-semibold tracking-[-0.01em]">{figure}</span>
        <span className="mt-0.5 block truncate text-12 text-text-3">{beneath}</span>
      </dd>
    </div>
  );
}

export function FigureGridSkeleton() {
  return (
    <>
      <div className={grid}>
        <FigureCellSkeletons count={figureCount} />
      </div>
      <div className={sides}>
        <FigureCellSkeletons count={2} />
      </div>
    </>
  );
}

const formatTrade = (trade: Performance['best']): ReactNode => trade?.symbol ?? 'No trades yet';

export function FigureGrid({ figures }: { readonly figures: Performance }) {
  const definitions = getDefinitions(figures);
  const drawdown = figures.max_drawdown;
  return (
    <dl className={grid}>
      <Cell
        definition={definitions.net}
        figure={<Pnl value={figures.net_pnl} />}
        beneath={
          <>
            USDT, after <Amount value={figures.fees} /> fees
            {figures.funding === 0 ? null : (
              <>
                {' and '}
                <Amount value={figures.funding} signed /> funding
              </>
            )}
          </>
        }
      />
      <Cell
        definition={definitions.trades}
        figure={<span className="figures">{figures.trades}</span>}
        beneath={`${figures.wins} won, ${figures.losses} lost${figures.break_even > 0 ? `, ${figures.break_even} even` : ''}`}
      />
      <Cell
        definition={definitions.winRate}
        figure={<Share value={figures.win_rate} />}
        beneath={`${figures.wins} of ${figures.trades}`}
      />
      <Cell
        definition={definitions.profitFactor}
        figure={<Amount value={figures.profit_factor} />}
        beneath={
          <>
            <Amount value={figures.gross_profit} /> / <Amount value={figures.gross_loss} />
          </>
        }
      />
      <Cell
        definition={definitions.expectancy}
        figure={<Pnl value={figures.expectancy} />}
        beneath="USDT a trade"
      />
      <Cell
        definition={definitions.drawdown}
        figure={drawdown ? <Pnl value={-drawdown.amount} /> : <Amount value={0} />}
        beneath={
          drawdown ? (
            <>
              <Share value={drawdown.percent} /> at the deepest
            </>
          ) : (
            'No drawdown'
          )
        }
      />
      <Cell definition={definitions.averageWin} figure={<Pnl value={figures.average_win} />} beneath="USDT" />
      <Cell
        definition={definitions.averageLoss}
        figure={<Pnl value={figures.average_loss} />}
        beneath="USDT"
      />
      <Cell
        definition={definitions.averageR}
        figure={<Pnl value={figures.average_r} unit="R" />}
        beneath={`${figures.r_trades} with a stop loss`}
      />
      <Cell
        definition={definitions.holding}
        figure={
          figures.average_holding_s === null ? (
            <Amount value={null} />
          ) : (
            <span className="figures">{formatHolding(figures.average_holding_s)}</span>
          )
        }
        beneath={`Median ${formatHolding(figures.median_holding_s) ?? noFigure}`}
      />
      <Cell
        definition={definitions.best}
        figure={<Pnl value={figures.best?.net_pnl} />}
        beneath={formatTrade(figures.best)}
      />
      <Cell
        definition={definitions.worst}
        figure={<Pnl value={figures.worst?.net_pnl} />}
        beneath={formatTrade(figures.worst)}
      />
    </dl>
  );
}

/** Compares the account's results of long and short positions. */
export function SideSplit({ figures }: { readonly figures: Performance }) {
  return (
    <dl className={sides}>
      {figures.by_side.map((split) => (
        <Cell
          key={split.side}
          definition={getSideDefinition(split)}
          figure={<Pnl value={split.net_pnl} />}
          beneath={
            split.trades === 0 ? (
              'No trades yet'
            ) : (
              <>
                {`${split.trades} ${split.trades === 1 ? 'trade' : 'trades'}, `}
                <Share value={split.win_rate} /> won
              </>
            )
          }
        />
      ))}
    </dl>
  );
}
