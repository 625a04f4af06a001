/** Holds every wallet against the ledger, entry by entry, and says what was found. */
import { texts } from '@fulcrum/contract/texts';
import CircleCheck from 'lucide-react/icons/circle-check';
import Scale from 'lucide-react/icons/scale';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { log } from '../../../shared/log/log.ts';
import { formatAmount, formatFigure } from '../../../shared/numbers/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { messageOf } from '../../../shared/supabase/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { Button } from '../../../shared/ui/index.ts';
import { type Reconciliation, reconcileAll } from './wallets.ts';

export function useReconciling() {
  const { supabase } = useSignedIn();
  const [found, setFound] = useState<Reconciliation | null>(null);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isUnderWay = useRef<boolean>(false);
  const run = async () => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setPending(true);
    setError(null);
    try {
      setFound(await reconcileAll(supabase));
    } catch (cause) {
      log.warn('The wallets were not reconciled', cause);
      setError(messageOf(cause, texts.unknownErrorOccurred));
    } finally {
      isUnderWay.current = false;
      setPending(false);
    }
  };
  return { found, pending, error, run } as const;
}
type Reconciling = ReturnType<typeof useReconciling>;

export function ReconcileButton({ reconciling }: { readonly reconciling: Reconciling }) {
  return (
    <Button onClick={reconciling.run} pending={reconciling.pending}>
      {reconciling.pending ? null : <Scale size={16} aria-hidden="true" />}
      Reconcile
    </Button>
  );
}

const counted = (count: number, one: string, many: string) =>
  `${formatFigure(count, 0)} ${count === 1 ? one : many}`;

function Sentence({ found }: { readonly found: Reconciliation }) {
  const isWhole = found.drifting_total === 0;
  const Icon = isWhole ? CircleCheck : TriangleAlert;
  return (
    <p className="flex items-start gap-2">
      <Icon size={16} aria-hidden="true" className={`mt-0.5 shrink-0 ${isWhole ? 'text-up' : 'text-down'}`} />
      <span>
        <strong className="font-semibold">
          {isWhole
            ? 'Every wallet is the sum of its entries.'
            : `${counted(found.drifting_total, 'wallet drifts', 'wallets drift')} from the ledger.`}
        </strong>{' '}
        <span className="figures text-text-2">
          {`${counted(found.wallets, 'wallet', 'wallets')} with ${formatAmount(Number(found.balance))} USDT, ${counted(found.entries, 'entry', 'entries')} with ${formatAmount(Number(found.ledger))} USDT, read `}
        </span>
        <span className="text-text-2">
          <DateTime iso={found.at} />
        </span>
      </span>
    </p>
  );
}

export function ReconcileResult({ reconciling }: { readonly reconciling: Reconciling }) {
  const { found, error, pending, run } = reconciling;
  if (error !== null) {
    return (
      <div role="alert" className="panel mb-3 flex flex-wrap items-center gap-3 px-4 py-2.5 text-13">
        <TriangleAlert size={16} aria-hidden="true" className="text-down" />
        {`The wallets were not reconciled: ${error}`}
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
          <Sentence found={found} />
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
