/** The unrealized result of an open position at the live price, updated without renders. */
import { asPrice, parseDecimal, rulesOf, toNumber } from '@fulcrum/domain';
import { useMemo } from 'react';
import { getMark, toTerms } from '../../shared/account/index.ts';
import { formatAmount, formatPercent, LiveFigure, type LiveSource } from '../../shared/numbers/index.ts';
import type { Position } from '../../shared/supabase/index.ts';
import { type PriceStream, usePriceStream } from '../market/index.ts';

type Kind = 'pnl' | 'roe';

const formats = {
  pnl: (value: number | null | undefined) => formatAmount(value, 'always'),
  roe: (value: number | null | undefined) => formatPercent(value),
} as const;

function sourceOf(stream: PriceStream, position: Position, kind: Kind): LiveSource {
  const [rules, terms] = [rulesOf(position.rules), toTerms(position)];
  return {
    get: () => {
      const mark = getMark(stream, position);
      if (mark === null) return null;
      const price = asPrice(parseDecimal(mark));
      return toNumber(kind === 'pnl' ? rules.unrealizedPnl(terms, price) : rules.openRoe(terms, price));
    },
    subscribe: (changed) => stream.subscribe(position.symbol, changed),
  };
}

interface LiveResultProps {
  readonly position: Position;
  readonly kind?: Kind;
  readonly className?: string;
}

export function LiveResult({ position, kind = 'pnl', className = '' }: LiveResultProps) {
  const stream = usePriceStream();
  const source = useMemo(() => sourceOf(stream, position, kind), [stream, position, kind]);
  return <LiveFigure source={source} format={formats[kind]} colour="sign" className={className} />;
}
