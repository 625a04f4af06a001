/**
 * The account's exposure by market, as a ring and as a table (DASH-25 to DASH-29). Exposure counts neither side nor
 * margin (A91) and is labelled so. The prices are the marks of the positions, read every 10 s.
 */
import { texts } from '@fulcrum/contract/texts';
import {
  asPrice,
  asSize,
  type Exposure,
  exposureBySymbol,
  parseDecimal,
  type Side,
  toNumber,
} from '@fulcrum/domain';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { readOpenPositions } from '../../../shared/account/index.ts';
import { Dollars, formatDollars, formatPercent } from '../../../shared/numbers/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { Badge, ButtonLink, EmptyState, Skeleton } from '../../../shared/ui/index.ts';
import { useWidget, Widget, WidgetBody } from '../../../shared/widget/index.ts';
import { getTradingPath } from '../market/RankingParts.tsx';
import { getHoldingColour, toSlices } from './slices.ts';

/** The widget reads the open positions this often (DASH-28). */
const everyMs = 10_000;
/** The radius of a ring whose circumference is 100. */
const radius = 100 / (2 * Math.PI);
const longTotal = '$1,234,567'.length;

const sideStyles = {
  BUY: { tone: 'up', label: 'Long' },
  SELL: { tone: 'down', label: 'Short' },
} as const satisfies Record<Side, object>;

/** `positions` newest first, as the server returns them. */
const exposureOfAll = (positions: readonly Position[]): Exposure =>
  exposureBySymbol(
    positions.toReversed().map(({ symbol, side, size, entryPrice, markPrice }) => ({
      symbol,
      side,
      size: asSize(parseDecimal(size)),
      entryPrice: asPrice(parseDecimal(entryPrice)),
      markPrice: markPrice === null ? null : asPrice(parseDecimal(markPrice)),
    })),
  );

function Ring({ exposure }: { readonly exposure: Exposure | null }) {
  const total = exposure ? formatDollars(toNumber(exposure.total)) : null;
  return (
    <div className="relative mx-auto my-2 size-[152px] shrink-0">
      <svg aria-hidden="true" viewBox="0 0 38 38" className="size-full -rotate-90">
        <circle cx="19" cy="19" r={radius} fill="none" stroke="var(--line)" strokeWidth="4.6" />
        {exposure
          ? toSlices(exposure).map(({ symbol, colour, from, length }) => (
              <circle
                key={symbol}
                cx="19"
                cy="19"
                r={radius}
                fill="none"
                stroke={colour}
                strokeWidth="4.6"
                strokeDasharray={`${length} ${100 - length}`}
                strokeDashoffset={-from}
              />
            ))
          : null}
      </svg>
      <p className="absolute inset-0 flex flex-col items-center justify-center">
        <span className="text-12 text-text-2">Exposure</span>
        {total === null ? (
          <Skeleton className="h-4 w-20" />
        ) : (
          <span
            className={`figures font-semibold ${total.length > longTotal ? 'text-11' : 'text-14'}`}
          >{` ${total}`}</span>
        )}
      </p>
    </div>
  );
}

const rowStyles = 'h-[42px] border-t border-line/65';

function Legend({ exposure }: { readonly exposure: Exposure }) {
  return (
    <div className="h-[174px] overflow-y-auto">
      <table className="w-full text-13">
        <caption className="sr-only">Exposure by symbol, the largest first</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Symbol</th>
            <th scope="col">Side</th>
            <th scope="col">Exposure</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {exposure.symbols.map(({ symbol, sides, amount, share, order }) => (
            <tr key={symbol} className={`${rowStyles} transition-colors hover:bg-raised/70`}>
              <th scope="row" className="w-full max-w-0 pl-4 text-left font-semibold">
                <Link
                  to={getTradingPath(symbol)}
                  title={symbol}
                  className="-my-1 inline-flex max-w-full items-center gap-2 py-1 align-middle hover:underline max-md:min-h-11"
                >
                  <span
                    aria-hidden="true"
                    className="size-2 shrink-0 rounded-xs"
                    style={{ background: getHoldingColour(order) }}
                  />
                  <span className="truncate">{symbol}</span>
                </Link>
              </th>
              <td className="pl-1.5 whitespace-nowrap">
                <span className="inline-flex gap-0.5 align-middle xl:max-[1535px]:flex-col xl:max-[1535px]:items-start xl:max-[1535px]:gap-0">
                  {sides.map((side) => (
                    <Badge key={side} tone={sideStyles[side].tone}>
                      {sideStyles[side].label}
                    </Badge>
                  ))}
                </span>
              </td>
              <td className="pl-2 text-right text-12 font-medium">
                <Dollars value={toNumber(amount)} />
              </td>
              <td className="figures pr-4 pl-2 text-right text-12 text-text-2">
                {formatPercent(toNumber(share), 'negative')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Holdings({ exposure }: { readonly exposure: Exposure }) {
  if (exposure.symbols.length === 0) {
    return (
      <div className="grid min-h-0 grow place-items-center">
        <EmptyState
          title="No open positions"
          action={
            <ButtonLink to="/trading" tone="primary">
              Open a position
            </ButtonLink>
          }
        >
          What you hold is shown here by symbol.
        </EmptyState>
      </div>
    );
  }
  return (
    <>
      <Ring exposure={exposure} />
      <Legend exposure={exposure} />
    </>
  );
}

const skeleton = (
  <>
    <Ring exposure={null} />
    {['w-20', 'w-16', 'w-24'].map((width) => (
      <div key={width} className={`${rowStyles} flex items-center justify-between px-4`}>
        <Skeleton className={`h-3 ${width}`} />
        <Skeleton className="h-3 w-24" />
      </div>
    ))}
  </>
);

export function HoldingsWidget() {
  const reader = useSignedIn();
  const reading = useWidget({
    queryKey: queryKeys.positions(reader.accountId, 'open'),
    what: 'Portfolio holdings',
    everyMs,
    read: (signal, cache) => readOpenPositions(reader, cache, signal),
  });
  const { figures: positions } = reading;
  const exposure = useMemo(() => (positions ? exposureOfAll(positions) : undefined), [positions]);
  const count = positions?.length ?? 0;
  return (
    <Widget
      reading={reading}
      title="Portfolio Holdings"
      aside={count > 0 ? `${count} ${count === 1 ? 'position' : 'positions'}` : null}
      className="h-full"
    >
      <WidgetBody
        reading={{ ...reading, figures: exposure }}
        skeleton={skeleton}
        failed={texts.fetchPositionsFailed}
      >
        {(held) => <Holdings exposure={held} />}
      </WidgetBody>
    </Widget>
  );
}
