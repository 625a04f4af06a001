/**
 * The warnings of an order that is being typed: a small button beside its value, which opens them with their rules. Quiet: it takes no
 * height of its own, blocks nothing, and screen readers hear only which rules apply, not each figure.
 */
import {
  asMoney,
  asPrice,
  asSize,
  type HourBar,
  type OwnRulesSetting,
  parseDecimal,
  type Side,
  toOwnRules,
  type WarningId,
  warningIds,
  warningRules,
} from '@fulcrum/domain';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useMemo, useRef, useSyncExternalStore } from 'react';
import { createEquitySource, getMark, useOpenPositions, useWallet } from '../../shared/account/index.ts';
import { log } from '../../shared/log/log.ts';
import type { LiveSource } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { type Position, unwrap } from '../../shared/supabase/index.ts';
import { Badge, Button, Popover, showToast, usePhone } from '../../shared/ui/index.ts';
import { usePairs, usePriceStream } from '../market/index.ts';
import { LessonToggle } from './LessonToggle.tsx';
import { type ShownWarning, type ShownWarnings, shownWarnings, type TypedOrder } from './order-warnings.ts';
import { toDayAtStake, useOwnLimits } from './own-limits.ts';
import { ownRulesKey, saveOwnRules, useOwnRules } from './own-rules.ts';

interface OrderWarningsProps {
  /** The order as it was last settled, at the price on screen. */
  readonly order: () => TypedOrder;
  readonly price: Pick<LiveSource, 'subscribe'>;
  /** The side that it is meant for; null for both. */
  readonly side: Side | null;
  readonly reduceOnly: boolean;
}

/** Three days, and the hour before them: the first change begins at its close. */
const hoursRead = 73;
/** Markets that are compared with the order's: those with the largest positions. */
const comparedMax = 8;
const readEveryMs = 600_000;

/** The last whole hours of these markets; null of a market whose hours are not read. */
function useHours(symbols: readonly string[]) {
  const { supabase } = useSignedIn();
  const reads = useQueries({
    queries: symbols.map((symbol) => ({
      queryKey: ['hours-of-days', symbol],
      staleTime: readEveryMs,
      refetchInterval: readEveryMs,
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly HourBar[]> => {
        // The newest has not ended.
        const args = { p_symbol: symbol, p_timeframe: '1h', p_limit: hoursRead + 1 } as const;
        const bars = await unwrap(supabase.rest.rpc('get_candles', args).abortSignal(signal));
        return bars.slice(0, -1).map(({ open_time, high, low, close }) => ({
          openTime: Date.parse(open_time),
          high: asPrice(parseDecimal(high)),
          low: asPrice(parseDecimal(low)),
          close: asPrice(parseDecimal(close)),
        }));
      },
    })),
  });
  const hours = new Map(symbols.map((symbol, index) => [symbol, reads[index]?.data ?? null]));
  return {
    hours,
    isPending: reads.some((read) => read.isPending),
    isError: reads.some((read) => read.isLoadingError),
  };
}

/** The order's market first. */
function comparedSymbols(symbol: string, positions: readonly Position[]): readonly string[] {
  const exposures = new Map<string, number>();
  for (const { symbol: held, size, entryPrice, markPrice } of positions)
    exposures.set(held, (exposures.get(held) ?? 0) + size * (markPrice ?? entryPrice));
  exposures.delete(symbol);
  const largest = [...exposures].sort(([, one], [, other]) => other - one).slice(0, comparedMax);
  return [symbol, ...largest.map(([held]) => held)];
}

/** Null without an order, and until all that it is compared with is known or could not be read. */
function useShownWarnings({ order, price, side, reduceOnly }: OrderWarningsProps) {
  const { symbol } = order();
  const stream = usePriceStream();
  const { data: pairs } = usePairs();
  const { data: positions } = useOpenPositions();
  const { data: wallet } = useWallet();
  const { data: setting, isError: lacksRules } = useOwnRules();
  // Each change of the account may be a trade or a loss.
  const { data: limits, isError: lacksDay } = useOwnLimits(wallet?.version ?? 0);
  const { hours, isPending, isError } = useHours(comparedSymbols(symbol, positions ?? []));
  const read = (): string | null => {
    if (!pairs || !positions || wallet === undefined || isPending) return null;
    if ((!setting && !lacksRules) || (!limits && !lacksDay)) return null;
    const equity = createEquitySource(stream, positions, wallet?.balance ?? 0).get();
    const exactEquity = equity == null ? null : asMoney(parseDecimal(equity));
    const account = {
      equity: exactEquity,
      day: limits ? toDayAtStake(limits, exactEquity, Date.now()) : ('unread' as const),
      positions: positions.map((position) => {
        const mark = getMark(stream, position);
        return {
          symbol: position.symbol,
          side: position.side,
          size: asSize(parseDecimal(position.size)),
          entryPrice: asPrice(parseDecimal(position.entryPrice)),
          markPrice: mark === null ? null : asPrice(parseDecimal(mark)),
          margin: asMoney(parseDecimal(position.margin)),
          entryValue: position.entryValue ? asMoney(parseDecimal(position.entryValue)) : null,
        };
      }),
      marketOf: (of: string) => pairs.find((pair) => pair.symbol === of)?.type ?? 'stock',
      hoursOf: (of: string) => hours.get(of) ?? null,
    };
    const own = setting ? toOwnRules(setting) : null;
    return JSON.stringify(shownWarnings(order(), { side, reduceOnly }, account, own));
  };
  const text = useSyncExternalStore(price.subscribe, read);
  const shown = useMemo((): ShownWarnings | null => (text === null ? null : JSON.parse(text)), [text]);
  return { shown, setting, isError };
}

const nameOf = (id: WarningId): string => warningRules.find((rule) => rule.id === id)?.name ?? id;
const sideNames = { BUY: 'Buy/Long', SELL: 'Sell/Short' } as const satisfies Record<Side, string>;

function Warning({
  warning: { rule, lines },
  onSwitchOff,
}: {
  readonly warning: ShownWarning;
  /** Null while the own rules are not read: a change would replace what is stored. */
  readonly onSwitchOff: (() => void) | null;
}) {
  return (
    <li className="rounded-control border-l-2 border-warn bg-inset px-3 py-2">
      <p className="font-semibold">{nameOf(rule)}</p>
      {lines.map(({ sentence, side, alike }) => (
        <div key={side} className="figures mt-1">
          {side === null ? null : <Badge tone={side === 'BUY' ? 'up' : 'down'}>{sideNames[side]}</Badge>}
          <p>{sentence}</p>
          {alike.length === 0 ? null : (
            <p className="text-12 text-text-2">{`Counted: ${alike.join(', ')}.`}</p>
          )}
        </div>
      ))}
      <LessonToggle rule={rule} />
      {onSwitchOff === null ? null : (
        <Button size="compact" className="mt-2" onClick={onSwitchOff}>
          Switch off this warning
        </Button>
      )}
    </li>
  );
}

interface PanelProps {
  readonly shown: ShownWarnings;
  readonly setting: OwnRulesSetting | undefined;
  readonly lacksHours: boolean;
}

function Panel({ shown: { found, unchecked }, setting, lacksHours }: PanelProps) {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const panel = useRef<HTMLDivElement>(null);
  const isOff = warningIds.filter((id) => setting?.off.includes(id));
  const change = async (stored: OwnRulesSetting, rule: WarningId, switchesOff: boolean) => {
    const others = stored.off.filter((id) => id !== rule);
    const next = { ...stored, off: switchesOff ? [...others, rule] : others };
    const key = ownRulesKey(user.id);
    cache.setQueryData(key, next);
    // The pressed button is gone with its warning.
    panel.current?.focus();
    try {
      await saveOwnRules(supabase, next);
    } catch (cause) {
      log.warn('Saving the own rules failed', cause);
      cache.setQueryData(key, stored);
      showToast('error', 'The warning was not changed. Try again.');
    }
  };
  return (
    <div ref={panel} tabIndex={-1} className="flex flex-col gap-3 outline-none">
      <p className="font-semibold">
        {found.length === 0 ? 'No warning for this order' : 'Before you send it'}
      </p>
      {found.length === 0 ? null : (
        <ul aria-label="Warnings" className="flex flex-col gap-2">
          {found.map((warning) => (
            <Warning
              key={warning.rule}
              warning={warning}
              onSwitchOff={setting ? () => void change(setting, warning.rule, true) : null}
            />
          ))}
        </ul>
      )}
      {unchecked.map(({ rule, reason }) => (
        <p key={rule} className="text-12 text-text-2">
          <span className="font-medium">{nameOf(rule)}</span>
          {`: not checked, because ${reason}.`}
        </p>
      ))}
      {lacksHours ? (
        <p className="text-12 text-warn">The prices of the last hours could not be read.</p>
      ) : null}
      {setting === undefined ? (
        <p className="text-12 text-warn">
          Your own rules could not be read, so warnings that you switched off are shown too.
        </p>
      ) : null}
      {isOff.map((rule) => (
        <p key={rule} className="flex items-center justify-between gap-3 text-12 text-text-2">
          {`${nameOf(rule)}: switched off`}
          <Button size="compact" onClick={() => setting && void change(setting, rule, false)}>
            Switch on
          </Button>
        </p>
      ))}
      <p className="text-12 text-text-3">
        Warnings block nothing. My rules in the analytics has all of them.
      </p>
    </div>
  );
}

function Warnings(props: OrderWarningsProps) {
  const { shown, setting, isError } = useShownWarnings(props);
  const side = usePhone() ? 'top' : 'left';
  const rules = shown?.found.map(({ rule }) => rule) ?? [];
  const count = rules.length;
  return (
    <>
      <span role="status" className="sr-only">
        {count === 0 ? null : `Warning: ${rules.map(nameOf).join('; ')}`}
      </span>
      {shown === null ? null : (
        <Popover
          label="Warnings before this order"
          side={side}
          trigger={
            <button
              type="button"
              className={`relative ml-1.5 inline-flex h-5 items-center gap-1 rounded-[4px] px-1.5 text-12 after:absolute after:inset-x-0 after:-inset-y-0.5 max-md:after:-inset-y-3 ${count === 0 ? 'text-text-3 hover:text-text' : 'bg-warn-weak text-warn'}`}
            >
              {count === 0 ? null : <TriangleAlert size={12} aria-hidden="true" />}
              {count === 0 ? 'No warnings' : `${count} ${count === 1 ? 'warning' : 'warnings'}`}
            </button>
          }
        >
          <Panel shown={shown} setting={setting} lacksHours={isError} />
        </Popover>
      )}
    </>
  );
}

/** Own rules are the trader's: staff who look in see none of them. */
export default function OrderWarnings(props: OrderWarningsProps) {
  return useSignedIn().impersonation === null ? <Warnings {...props} /> : null;
}
