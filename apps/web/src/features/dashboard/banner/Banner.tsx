/**
 * The dashboard's banner (A86): the day, a greeting, links to trading and the journal, and the account's figures.
 * Known limitation: a deposit counts as the day's gain until the overview is read again, which follows each change of
 * the wallet.
 */
import { useEffect, useId, useRef } from 'react';
import { useLocation } from 'react-router';
import { useOpenPositions, useWallet } from '../../../shared/account/index.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap } from '../../../shared/supabase/index.ts';
import { LiveText } from '../../../shared/time/LiveText.tsx';
import { ButtonLink, SimulatedBadge } from '../../../shared/ui/index.ts';
import { useWidget } from '../../../shared/widget/index.ts';
import { BalanceFigures } from './BalanceFigures.tsx';
import { EquityCurve } from './EquityCurve.tsx';
import { formatUtcInstant, useGreeting } from './greeting.ts';

const everyMs = 60_000;
const readInstant = () => formatUtcInstant(Date.now());

interface GreetingProps {
  readonly id: string;
  readonly hasTraded: boolean;
}

function Greeting({ id, hasTraded }: GreetingProps) {
  const { user } = useSignedIn();
  const { search } = useLocation();
  const greeting = useGreeting();
  const writing = new URLSearchParams(search);
  writing.set('entry', 'new');
  return (
    <div className="min-w-0">
      <p className="flex min-h-5 items-center gap-x-2 gap-y-0.5 text-13 whitespace-nowrap text-text-2 max-[359px]:flex-wrap">
        <LiveText read={readInstant} />
        <SimulatedBadge />
      </p>
      <h1 id={id} className="mt-0.5 text-20 font-semibold wrap-anywhere md:truncate" title={user.username}>
        {`${greeting}, ${user.username}`}
      </h1>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <ButtonLink to="/trading" tone="primary">
          {hasTraded ? 'Open Trading' : 'Place your first trade'}
        </ButtonLink>
        <ButtonLink to={{ search: `${writing}`, hash: '#journal' }} replace>
          Write journal entry
        </ButtonLink>
      </div>
    </div>
  );
}

export function Banner() {
  const { accountId, supabase } = useSignedIn();
  const titleId = useId();
  const { data: wallet } = useWallet();
  const overview = useWidget({
    queryKey: queryKeys.equityOverview(accountId),
    what: 'Equity of the last days',
    everyMs,
    read: (signal) => unwrap(supabase.rest.rpc('get_equity_overview').abortSignal(signal)),
  });
  const { figures, refetch: readAgain } = overview;

  const { data: open } = useOpenPositions();
  // A trade moves the result; until both are read the account counts as one with trades.
  const isUntraded =
    open?.length === 0 && figures !== undefined && figures.curve.every(({ result }) => result === 0);

  const balance = wallet?.balance;
  const known = useRef(balance);
  useEffect(() => {
    if (known.current !== undefined && known.current !== balance) readAgain();
    known.current = balance;
  }, [balance, readAgain]);

  return (
    <section
      ref={overview.ref}
      aria-labelledby={titleId}
      className="panel grid items-center gap-x-8 gap-y-4 p-4 md:h-[244px] md:grid-cols-[minmax(0,1fr)_minmax(240px,320px)] md:px-6 min-[1400px]:h-36 min-[1400px]:grid-cols-[minmax(0,296px)_minmax(0,1fr)_264px] min-[1400px]:py-0 min-[1440px]:grid-cols-[minmax(0,308px)_minmax(0,1fr)_264px] min-[1800px]:grid-cols-[minmax(0,308px)_minmax(0,1fr)_400px]"
    >
      <Greeting id={titleId} hasTraded={!isUntraded} />
      <div className="min-w-0 md:order-last md:col-span-2 min-[1400px]:order-none min-[1400px]:col-span-1">
        <BalanceFigures day={figures?.day} />
      </div>
      <EquityCurve reading={overview} />
    </section>
  );
}
