/** The limits that the trader has set for the account of this page: a line with the day so far, and the dialog that sets them. */
import type { OwnLimitsRow } from '@fulcrum/contract';
import { coolDownMinutesMax, ownTradesMax, toDecimalString, UNIT } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useWallet } from '../../shared/account/index.ts';
import { parseAmount } from '../../shared/decimals/amount.ts';
import { isWholeTo } from '../../shared/decimals/whole.ts';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useSubmission } from '../../shared/form/useSubmission.ts';
import { formatAmount, formatExact } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { getErrorMessage, unwrap } from '../../shared/supabase/index.ts';
import { formatClock, formatDayAndClock } from '../../shared/time/dates.ts';
import { Button, TextField } from '../../shared/ui/index.ts';
import { ownLimitsKey, useOwnLimits } from './own-limits.ts';

type Limits = Pick<OwnLimitsRow, 'daily_loss' | 'daily_loss_percent' | 'trades_max' | 'cool_down_minutes'>;

/** `daily loss of 50.00 USDT, 3 trades a day`; null without any. */
function limitsText({
  daily_loss: loss,
  daily_loss_percent: share,
  trades_max: trades,
  cool_down_minutes: minutes,
}: Limits): string | null {
  const parts = [
    loss === null ? [] : [`daily loss of ${formatAmount(loss)} USDT`],
    share === null ? [] : [`daily loss of ${formatExact(share)} %`],
    trades === null ? [] : [`${trades} ${trades === 1 ? 'trade' : 'trades'} a day`],
    minutes === null ? [] : [`cool-down of ${minutes} min after a loss`],
  ].flat();
  return parts.length === 0 ? null : parts.join(', ');
}

function dayText({ day, trades_max }: OwnLimitsRow): string | null {
  if (day === null) return null;
  const { loss, loss_max, trades, cool_down_until } = day;
  const parts = [
    loss_max === null
      ? []
      : [
          loss > 0
            ? `${formatAmount(loss)} of ${formatAmount(loss_max)} USDT lost`
            : `nothing lost of ${formatAmount(loss_max)} USDT`,
        ],
    trades_max === null ? [] : [`${trades} of ${trades_max} ${trades_max === 1 ? 'trade' : 'trades'} made`],
    cool_down_until === null ? [] : [`cool-down until ${formatClock(cool_down_until, 'UTC')}`],
  ].flat();
  return parts.length === 0 ? null : `Today (UTC): ${parts.join(', ')}.`;
}

/** An empty field is no limit. */
const isWhole = (text: string, max: number): boolean => text.trim() === '' || isWholeTo(text, max);
const toWhole = (text: string): number | null => (text.trim() === '' ? null : Number(text));
function isAmount(text: string, max: number): boolean {
  const typed = parseAmount(text);
  if (typed.kind !== 'amount') return typed.kind === 'empty';
  return typed.size > 0n && typed.size <= BigInt(max) * UNIT && typed.size % (UNIT / 100n) === 0n;
}
function toAmount(text: string): number | null {
  const typed = parseAmount(text);
  return typed.kind === 'amount' ? Number(toDecimalString(typed.size)) : null;
}
const lossMax = 1_000_000_000;

interface DialogProps {
  readonly limits: OwnLimitsRow;
  readonly onClose: () => void;
}

function OwnLimitsDialog({ limits, onClose }: DialogProps) {
  const { supabase, accountId } = useSignedIn();
  const cache = useQueryClient();
  // The wish: what waits is what was last saved.
  const saved: Limits = limits.waiting ?? limits;
  const submission = useSubmission({
    names: ['loss', 'share', 'trades', 'minutes'],
    check: ({ loss, share, trades, minutes }) => ({
      loss: isAmount(loss, lossMax)
        ? null
        : `Use an amount above 0 and up to ${formatExact(lossMax, 0)}, with two decimals at most.`,
      share: isAmount(share, 100) ? null : 'Use a number above 0 and up to 100, with two decimals at most.',
      trades: isWhole(trades, ownTradesMax) ? null : `Use a whole number from 1 to ${ownTradesMax}.`,
      minutes: isWhole(minutes, coolDownMinutesMax)
        ? null
        : `Use whole minutes from 1 to ${coolDownMinutesMax}.`,
    }),
    send: async ({ loss, share, trades, minutes }) => {
      await unwrap(
        supabase.rest.rpc('set_own_limits', {
          p_daily_loss: toAmount(loss),
          p_daily_loss_percent: toAmount(share),
          p_trades_max: toWhole(trades),
          p_cool_down_minutes: toWhole(minutes),
        }),
      );
      return () => {
        void cache.invalidateQueries({ queryKey: ownLimitsKey(accountId) });
        onClose();
      };
    },
    failed: (cause) => getErrorMessage(cause, 'Your limits were not saved. Try again.'),
  });
  const shown = (value: number | null) => value ?? '';
  return (
    <FormDialog
      title="My limits"
      description="Of this account. At a limit nothing opens; closing, protecting and cancelling stay possible. A tighter limit holds at once, a looser one from 00:00 UTC of the next day."
      submission={submission}
      submit="Save limits"
      onClose={onClose}
    >
      <TextField
        {...submission.fieldOf('loss')}
        label="Daily loss (USDT)"
        hint="Booked and open results since 00:00 UTC. Leave a field empty for no limit."
        inputMode="decimal"
        defaultValue={shown(saved.daily_loss)}
      />
      <TextField
        {...submission.fieldOf('share')}
        label="Daily loss (% of the first equity of the day)"
        hint="With both, the lower one counts."
        inputMode="decimal"
        defaultValue={shown(saved.daily_loss_percent)}
      />
      <TextField
        {...submission.fieldOf('trades')}
        label="Trades a day"
        hint="Orders that open or add to a position."
        inputMode="numeric"
        defaultValue={shown(saved.trades_max)}
      />
      <TextField
        {...submission.fieldOf('minutes')}
        label="Cool-down after a loss (minutes)"
        inputMode="numeric"
        defaultValue={shown(saved.cool_down_minutes)}
      />
    </FormDialog>
  );
}

export function MyLimits() {
  const { account } = useSignedIn();
  const { data: wallet } = useWallet();
  const { data: limits, isError, refetch } = useOwnLimits(wallet?.version ?? 0);
  const [isOpen, setOpen] = useState(false);
  if (account?.status === 'archived') return null;
  const text = () => {
    if (isError && limits === undefined) return 'Your own limits could not be read.';
    if (limits === undefined) return 'Reading your own limits';
    const inForce = limitsText(limits);
    return inForce === null ? 'No limits of your own in this account' : `Own limits: ${inForce}`;
  };
  const waits = limits?.waiting ?? null;
  const day = limits && dayText(limits);
  return (
    <section
      aria-label="My limits"
      className="figures flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-2 text-13 text-text-2"
    >
      <div className="flex flex-col gap-0.5">
        <p>{text()}</p>
        {day ? <p className="text-12">{day}</p> : null}
        {waits === null ? null : (
          <p className="text-12 text-warn">
            {`From ${formatDayAndClock(waits.from, 'UTC')} UTC: ${limitsText(waits) ?? 'no limits'}.`}
          </p>
        )}
      </div>
      <Button
        size="compact"
        onClick={() => (isError ? refetch() : setOpen(true))}
        muted={!isError && limits === undefined}
      >
        {isError ? 'Retry' : 'My limits'}
      </Button>
      {isOpen && limits ? <OwnLimitsDialog limits={limits} onClose={() => setOpen(false)} /> : null}
    </section>
  );
}
