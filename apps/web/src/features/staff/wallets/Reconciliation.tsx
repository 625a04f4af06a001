/** Reconciles every wallet with the ledger, entry by entry, and shows the result. */
import { texts } from '@fulcrum/contract/texts';
import CircleCheck from 'lucide-react/icons/circle-check';
import Scale from 'lucide-react/icons/scale';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useState } from 'react';
import { Link } from 'react-router';
import { failedWith, useRequest } from '../../../shared/form/index.ts';
import { formatAmount } from '../../../shared/numbers/index.ts';
import { pluralize } from '../../../shared/numbers/pluralize.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { Button } from '../../../shared/ui/index.ts';
import { type Reconciliation, reconcileAll } from './wallets.ts';

export function useReconciliation() {
  const { supabase } = useSignedIn();
  const [found, setFound] = useState<Reconciliation | null>(null);
  const { run, pending, error } = useRequest();
  const reconcile = () =>
    run(async () => {
      setFound(await reconcileAll(supabase));
    }, failedWith(texts.unknownErrorOccurred));
  return { found, pending, error, run: reconcile } as const;
}
type ReconciliationState = ReturnType<typeof useReconciliation>;

export function ReconcileButton({ reconciliation }: { readonly reconciliation: ReconciliationState }) {
  return (
    <Button onClick={reconciliation.run} pending={reconciliation.pending}>
      {reconciliation.pending ? null : <Scale size={16} aria-hidden="true" />}
      Reconcile
    </Button>
  );
}

function ReconciliationSummary({ found }: { readonly found: Reconciliation }) {
  const isConsistent = found.drifting_total === 0;
  const Icon = isConsistent ? CircleCheck : TriangleAlert;
  return (
    <p className="flex items-start gap-2">
      <Icon
        size={16}
        aria-hidden="true"
        className={`mt-0.5 shrink-0 ${isConsistent ? 'text-up' : 'text-down'}`}
      />
      <span>
        <strong className="font-semibold">
          {isConsistent
            ? 'Every wallet is the sum of its entries.'
            : `${pluralize(found.drifting_total, 'wallet drifts', 'wallets drift')} from the ledger.`}
        </strong>{' '}
        <span className="figures text-text-2">
          {`${pluralize(found.wallets, 'wallet')} with ${formatAmount(Number(found.balance))} USDT, ${pluralize(found.entries, 'entry', 'entries')} with ${formatAmount(Number(found.ledger))} USDT, read `}
        </span>
        <span className="text-text-2">
          <DateTime iso={found.at} />
        </span>
      </span>
    </p>
  );
}

export function ReconcileResult({ reconciliation }: { readonly reconciliation: ReconciliationState }) {
  const { found, error, pending, run } = reconciliation;
  if (error !== null) {
    return (
      <div role="alert" className="panel mb-3 flex flex-wrap items-center gap-3 px-4 py-2.5 text-13">
        <TriangleAlert size={16} aria-hidden="true" className="text-down" />
        {`Failed to reconcile the wallets: ${error}`}
        <Button size="compact" onClick={run} pending={pending}>
          Retry
        </Button>
      </div>
    );
  }
  return (
    <div role="status" className="text-13">
      {found === null ? null : (
        <div className="panel mb-3 px-4 py-2.5">
          <ReconciliationSummary found={found} />
          {found.drifting.length === 0 ? null : (
            <ul className="figures mt-2 flex flex-col gap-1 border-t border-line pt-2">
              {found.drifting.map(({ user_id, username, balance, ledger, drift }) => (
                <li key={user_id} className="flex flex-wrap gap-x-3">
                  <Link to={`/admin/users/${user_id}`} className="font-medium hover:underline">
                    {username}
                  </Link>
                  {`balance ${balance}, ledger ${ledger}, drift ${drift} USDT`}
                </li>
              ))}
              {found.drifting_total > found.drifting.length ? (
                <li className="text-text-2">{`and ${found.drifting_total - found.drifting.length} more`}</li>
              ) : null}
            </ul>
          )}
        </div>
      )}
    </div>
  );
}
