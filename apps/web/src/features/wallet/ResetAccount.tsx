/** Resets the account to its start after a confirmation that lists what is removed (A102). */
import { parseDecimal, toNumber } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useOpenOrders, useOpenPositions } from '../../shared/account/index.ts';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { failedWith, useRequest } from '../../shared/form/index.ts';
import { newClientId } from '../../shared/ids/index.ts';
import { Amount, formatAmount, Pnl } from '../../shared/numbers/index.ts';
import { queryKeys } from '../../shared/query/index.ts';
import { newerOf } from '../../shared/realtime/changes.ts';
import { refetchAccount } from '../../shared/realtime/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { fromWire, unwrap, type Wallet } from '../../shared/supabase/index.ts';
import { Button, showToast } from '../../shared/ui/index.ts';
import { splitBalance } from './history.ts';
import { useEquityNow } from './useEquity.ts';

function useReset(onDone: () => void) {
  const { accountId, supabase } = useSignedIn();
  const cache = useQueryClient();
  const { run, pending, error, setError } = useRequest();
  // One id per confirmation: a repeat after a lost answer is the same reset.
  const clientId = useRef('');

  const prepare = () => {
    clientId.current = newClientId();
    setError(null);
  };
  const reset = async () => {
    if (pending) return;
    await run(async () => {
      const row = await unwrap(supabase.rest.rpc('reset_account', { p_client_id: clientId.current }));
      const wallet = fromWire(row);
      cache.setQueryData<Wallet | null>(queryKeys.wallet(accountId), (cached) => newerOf(cached, wallet));
      showToast('success', `Account reset to ${formatAmount(wallet.balance)} USDT`);
      onDone();
    }, failedWith('Failed to reset the account'));
    refetchAccount(cache, accountId);
  };
  return { prepare, reset, pending, error };
}

/** Exact, USDT. */
const difference = (after: number, before: number): number =>
  toNumber(parseDecimal(after) - parseDecimal(before));

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

function Consequences({ wallet }: { readonly wallet: Wallet }) {
  const { data: orders = [] } = useOpenOrders();
  const { data: positions = [] } = useOpenPositions();
  const equity = useEquityNow();
  const figure = 'font-medium text-text';
  const { reserved } = splitBalance(wallet, positions);
  return (
    <div className="mt-2 text-14">
      <ul className="flex list-disc flex-col gap-1 pl-5">
        {orders.length > 0 ? (
          <li>
            {counted(orders.length, 'open order is canceled.', 'open orders are canceled.')} This frees{' '}
            <Amount value={reserved} unit="USDT" className={figure} />.
          </li>
        ) : null}
        {positions.length > 0 ? (
          <li>
            {counted(
              positions.length,
              'open position is closed at the market.',
              'open positions are closed at the market.',
            )}{' '}
            This books about{' '}
            <Pnl
              value={equity === null ? null : difference(equity, wallet.balance)}
              unit="USDT"
              className="font-medium"
            />
            .
          </li>
        ) : null}
        <li>
          The balance of <Amount value={wallet.balance} unit="USDT" className={figure} /> goes back to where
          it started, by one deposit or withdrawal.
        </li>
        <li>The history stays. This cannot be undone.</li>
      </ul>
    </div>
  );
}

export function ResetAccount({ wallet }: { readonly wallet: Wallet }) {
  const [open, setOpen] = useState(false);
  const { prepare, reset, pending, error } = useReset(() => setOpen(false));
  const ask = () => {
    prepare();
    setOpen(true);
  };
  return (
    <div className="mt-5">
      <Button onClick={ask}>Reset account</Button>
      <ConfirmDialog
        open={open}
        title="Reset your account?"
        description={<Consequences wallet={wallet} />}
        keep="Keep it"
        onKeep={() => setOpen(false)}
        confirm="Reset account"
        onConfirm={reset}
        tone="down"
        pending={pending}
        error={error}
      />
    </div>
  );
}
