/** Where the account is logged in, each place with its way out; what ends is asked about first. */
import { texts } from '@fulcrum/contract/texts';
import CircleHelp from 'lucide-react/icons/circle-help';
import Monitor from 'lucide-react/icons/monitor';
import Smartphone from 'lucide-react/icons/smartphone';
import SquareTerminal from 'lucide-react/icons/square-terminal';
import Tablet from 'lucide-react/icons/tablet';
import { useRef, useState } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import {
  announce,
  Badge,
  Button,
  Dialog,
  ErrorState,
  FormError,
  OwnersOnly,
  Section,
  Skeleton,
} from '../../../shared/ui/index.ts';
import { type Device, deviceOf } from './device.ts';
import { endOtherSessions, endSession, type LiveSession, useSessions } from './sessions.ts';

const icons = {
  computer: Monitor,
  phone: Smartphone,
  tablet: Tablet,
  program: SquareTerminal,
  unknown: CircleHelp,
} as const satisfies Record<Device['kind'], unknown>;

/** More of them stand behind a button. */
const shownAtFirst = 5;

/** What is asked about: one session, or all that are not this one. */
type Ending = { readonly session: LiveSession } | { readonly others: number };

const devices = (count: number): string => (count === 1 ? '1 other device' : `${count} other devices`);

interface EndingDialogProps {
  readonly ending: Ending;
  readonly onEnd: (failure: string | null) => Promise<void>;
  readonly onCancel: () => void;
}

function EndingDialog({ ending, onEnd, onCancel }: EndingDialogProps) {
  const { supabase } = useSignedIn();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const cancelButton = useRef<HTMLButtonElement>(null);
  const isOne = 'session' in ending;
  const what = isOne ? deviceOf(ending.session.userAgent).name : devices(ending.others);
  const end = async () => {
    setPending(true);
    setFailure(null);
    const refused = isOne ? await endSession(supabase, ending.session.id) : await endOtherSessions(supabase);
    setPending(false);
    setFailure(refused);
    await onEnd(refused);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || pending || onCancel()}
      initialFocus={cancelButton}
      title={isOne ? `Log out ${what}?` : 'Sign out everywhere else?'}
      description={
        isOne
          ? 'It is logged out at once. To go on there, somebody has to enter the password again.'
          : `Logs out ${what} at once. This device stays logged in.`
      }
      actions={
        <>
          <Button ref={cancelButton} onClick={onCancel} muted={pending}>
            Cancel
          </Button>
          <Button tone="down" onClick={end} pending={pending}>
            {isOne ? 'Log out device' : 'Sign out'}
          </Button>
        </>
      }
    >
      {isOne ? <Place session={ending.session} /> : null}
      <FormError>{failure}</FormError>
    </Dialog>
  );
}

/** From where and when. */
function Place({ session: { address, createdAt, lastSeenAt } }: { readonly session: LiveSession }) {
  return (
    <dl className="flex flex-wrap gap-x-5 text-12 text-text-2 [&_dt]:mr-1.5 [&_dt]:inline [&_dt]:text-text-3 [&_dd]:inline">
      <div>
        <dt>Address</dt>
        <dd className="figures break-all">{address ?? 'unknown'}</dd>
      </div>
      <div>
        <dt>Logged in</dt>
        <dd>
          <DateTime iso={createdAt} />
        </dd>
      </div>
      <div>
        <dt>Last seen</dt>
        <dd>
          <DateTime iso={lastSeenAt} />
        </dd>
      </div>
    </dl>
  );
}

const row = 'flex min-h-16 items-center gap-3.5 border-b border-line/65 py-2.5 last:border-b-0';

function SessionRow({ session, onAsk }: { readonly session: LiveSession; readonly onAsk: () => void }) {
  const { kind, name } = deviceOf(session.userAgent);
  const Icon = icons[kind];
  return (
    <li className={row}>
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-text-3" />
      <div className="min-w-0 grow">
        <p className="flex items-center gap-2 text-13 font-medium">
          <span className="truncate">{name}</span>
          {session.current ? <Badge tone="accent">This device</Badge> : null}
        </p>
        <Place session={session} />
      </div>
      {session.current ? null : (
        <Button onClick={onAsk} aria-label={`Log out ${name}, ${session.address ?? 'unknown address'}`}>
          Log out
        </Button>
      )}
    </li>
  );
}

function SkeletonList() {
  return (
    <div role="status">
      <span className="sr-only">Loading</span>
      {[0, 1].map((place) => (
        <div key={place} className={row}>
          <Skeleton className="size-5" />
          <div className="grow">
            <Skeleton className="h-3 w-36" />
            <Skeleton className="block h-3 w-72 max-w-full" />
          </div>
        </div>
      ))}
    </div>
  );
}

function SessionList() {
  const sessions = useSessions();
  const [showsAll, setShowsAll] = useState(false);
  const [ending, setEnding] = useState<Ending | null>(null);
  const list = useRef<HTMLUListElement>(null);
  if (sessions.data === undefined) {
    return sessions.isError ? (
      <ErrorState
        title="Failed to load sessions"
        onRetry={() => sessions.refetch()}
        retrying={sessions.isFetching}
      />
    ) : (
      <SkeletonList />
    );
  }
  const all = sessions.data;
  const shown = showsAll ? all : all.slice(0, shownAtFirst);
  const others = all.filter(({ current }) => !current).length;
  const onEnd = async (failure: string | null) => {
    // Also after a failure: it may have been ended all the same.
    await sessions.refetch();
    if (failure !== null) return;
    setEnding(null);
    announce('success', ending && 'others' in ending ? 'Signed out everywhere else' : 'Device logged out');
    list.current?.focus();
  };
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label="Sessions" className="-mt-2.5 outline-none">
        {shown.map((session) => (
          <SessionRow key={session.id} session={session} onAsk={() => setEnding({ session })} />
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button onClick={() => setEnding({ others })} muted={others === 0}>
          Sign out everywhere else
        </Button>
        {all.length > shownAtFirst ? (
          <Button tone="quiet" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Show fewer' : `Show all ${all.length}`}
          </Button>
        ) : null}
      </div>
      {others === 0 ? <p className="mt-2 text-12 text-text-3">No other device is logged in.</p> : null}
      {ending ? <EndingDialog ending={ending} onEnd={onEnd} onCancel={() => setEnding(null)} /> : null}
    </>
  );
}

export function SessionsSection() {
  const { acting } = useSignedIn();
  return (
    <Section title="Sessions" lead="Every device that is logged in. A session ends by itself after 30 days.">
      {acting === null ? <SessionList /> : <OwnersOnly>{texts.notWhileActing}</OwnersOnly>}
    </Section>
  );
}
