/** The account's sessions, each with a button that ends it after a confirmation. */
import CircleHelp from 'lucide-react/icons/circle-help';
import Monitor from 'lucide-react/icons/monitor';
import Smartphone from 'lucide-react/icons/smartphone';
import SquareTerminal from 'lucide-react/icons/square-terminal';
import Tablet from 'lucide-react/icons/tablet';
import { useRef, useState } from 'react';
import { ConfirmDialog } from '../../../shared/form/ConfirmDialog.tsx';
import { failedWith, useRequest } from '../../../shared/form/index.ts';
import { OwnerSection } from '../../../shared/owner-section/OwnerSection.tsx';
import { useSignedIn } from '../../../shared/session/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { Badge, Button, ReadError, Skeleton, showToast } from '../../../shared/ui/index.ts';
import { type Device, parseDevice } from './device.ts';
import { endOtherSessions, endSession, type LiveSession, useSessions } from './sessions.ts';

const icons = {
  computer: Monitor,
  phone: Smartphone,
  tablet: Tablet,
  program: SquareTerminal,
  unknown: CircleHelp,
} as const satisfies Record<Device['kind'], unknown>;

/** A button shows further sessions. */
const collapsedCount = 5;

/** The target of the confirmation: one session, or all except this one. */
type EndTarget = { readonly session: LiveSession } | { readonly others: number };

const formatDeviceCount = (count: number): string =>
  count === 1 ? '1 other device' : `${count} other devices`;

interface EndSessionDialogProps {
  readonly target: EndTarget;
  readonly onEnd: (ended: boolean) => Promise<void>;
  readonly onCancel: () => void;
}

function EndSessionDialog({ target, onEnd, onCancel }: EndSessionDialogProps) {
  const { supabase } = useSignedIn();
  const { run, pending, error } = useRequest();
  const isOne = 'session' in target;
  const what = isOne ? parseDevice(target.session.userAgent).name : formatDeviceCount(target.others);
  const end = async () =>
    onEnd(
      await run(
        async () => {
          await (isOne ? endSession(supabase, target.session.id) : endOtherSessions(supabase));
        },
        failedWith(isOne ? 'Failed to end the session' : 'Failed to end the other sessions'),
      ),
    );
  return (
    <ConfirmDialog
      title={isOne ? `Log out ${what}?` : 'Sign out everywhere else?'}
      description={
        isOne
          ? 'It is logged out at once. Using it again needs the password.'
          : `Logs out ${what} at once. This device stays logged in.`
      }
      keep="Cancel"
      onKeep={onCancel}
      confirm={isOne ? 'Log out device' : 'Sign out'}
      onConfirm={end}
      tone="down"
      pending={pending}
      error={error}
    >
      {isOne ? <SessionDetails session={target.session} /> : null}
    </ConfirmDialog>
  );
}

/** The session's address and time. */
function SessionDetails({ session: { address, createdAt, lastSeenAt } }: { readonly session: LiveSession }) {
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
  const { kind, name } = parseDevice(session.userAgent);
  const Icon = icons[kind];
  return (
    <li className={row}>
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-text-3" />
      <div className="min-w-0 grow">
        <p className="flex items-center gap-2 text-13 font-medium">
          <span className="truncate">{name}</span>
          {session.current ? <Badge tone="accent">This device</Badge> : null}
        </p>
        <SessionDetails session={session} />
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
      {[0, 1].map((index) => (
        <div key={index} className={row}>
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
  const [target, setTarget] = useState<EndTarget | null>(null);
  const list = useRef<HTMLUListElement>(null);
  if (sessions.data === undefined) {
    return sessions.isError ? (
      <ReadError title="Failed to load sessions" reading={sessions} />
    ) : (
      <SkeletonList />
    );
  }
  const all = sessions.data;
  const shown = showsAll ? all : all.slice(0, collapsedCount);
  const others = all.filter(({ current }) => !current).length;
  const onEnd = async (ended: boolean) => {
    // Also after a failure: the session may have ended nevertheless.
    await sessions.refetch();
    if (!ended) return;
    setTarget(null);
    showToast('success', target && 'others' in target ? 'Signed out everywhere else' : 'Device logged out');
    list.current?.focus();
  };
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label="Sessions" className="-mt-2.5 outline-none">
        {shown.map((session) => (
          <SessionRow key={session.id} session={session} onAsk={() => setTarget({ session })} />
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button onClick={() => setTarget({ others })} muted={others === 0}>
          Sign out everywhere else
        </Button>
        {all.length > collapsedCount ? (
          <Button tone="quiet" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Show fewer' : `Show all ${all.length}`}
          </Button>
        ) : null}
      </div>
      {others === 0 ? <p className="mt-2 text-12 text-text-3">No other device is logged in.</p> : null}
      {target ? <EndSessionDialog target={target} onEnd={onEnd} onCancel={() => setTarget(null)} /> : null}
    </>
  );
}

export function SessionsSection() {
  return (
    <OwnerSection
      title="Sessions"
      lead="Every device that is logged in. A session ends by itself after 30 days."
    >
      <SessionList />
    </OwnerSection>
  );
}
