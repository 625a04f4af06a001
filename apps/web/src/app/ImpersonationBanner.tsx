/**
 * The banner of an impersonation (A45): a bar above every page and a frame around the window. Both mark screenshots, so that
 * staff do not mistake the account for their own. Layouts use the bar's height token.
 *
 * Known limitation: the remaining time follows this machine's clock; the server ends the impersonation by its own.
 */
import { impersonationLifetimeMs } from '@fulcrum/contract/roles';
import Eye from 'lucide-react/icons/eye';
import Lock from 'lucide-react/icons/lock';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { log } from '../shared/log/log.ts';
import { homeOf, type Impersonation, type SignedIn, useSession } from '../shared/session/index.ts';
import { formatTimeLeft } from '../shared/time/time-left.ts';
import { Popover, Spinner, showToast } from '../shared/ui/index.ts';
import { endImpersonation } from './end-impersonation.ts';
import { formatTimeLeftNotice } from './impersonation-time-left.ts';
import { type Actor, useActor } from './useActor.ts';

const retryEveryMs = 5_000;
/** Below this remaining time the display fades in once a minute, when screen readers get the announcement. */
const warningBelowS = 120;
const disabledFeaturesText = 'Chat, KYC, password and email are off';

function useSecondsLeft({ untilMs }: Impersonation): number | null {
  const left = () => Math.max(0, Math.ceil((untilMs - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `left` follows from `untilMs`
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), 1000);
    return () => clearInterval(timer);
  }, [untilMs]);
  return untilMs === 0 ? null : seconds;
}

/** Ends the impersonation on request, and automatically when the time is up. */
function useEndImpersonation({ supabase, user }: SignedIn, secondsLeft: number | null) {
  const navigate = useNavigate();
  const [pending, setPending] = useState(false);
  const isEnding = useRef<boolean>(false);

  const end = useCallback(async (): Promise<boolean> => {
    if (isEnding.current) return true;
    isEnding.current = true;
    setPending(true);
    try {
      const original = await endImpersonation(supabase);
      if (original) await navigate(homeOf(original.role), { replace: true });
      return true;
    } catch (cause) {
      log.warn('Ending the impersonation failed', cause);
      return false;
    } finally {
      isEnding.current = false;
      setPending(false);
    }
  }, [supabase, navigate]);

  const isOver = secondsLeft === 0;
  useEffect(() => {
    if (!isOver) return;
    const attempt = () => {
      end().catch((cause: unknown) => log.error('Ending the impersonation failed', cause));
    };
    attempt();
    const timer = setInterval(attempt, retryEveryMs);
    return () => clearInterval(timer);
  }, [isOver, end]);

  const onEnd = useCallback(async () => {
    if (await end()) return;
    showToast('error', `Still viewing as ${user.username}`, {
      description: 'The server did not answer. Please try again.',
      id: 'impersonation',
    });
  }, [end, user.username]);
  return { press: onEnd, pending };
}

/** Ctrl+. anywhere on the page. */
function useEndShortcut(onEnd: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '.' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      onEnd();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [onEnd]);
}

function TimeLeft({ seconds }: { readonly seconds: number }) {
  return (
    <span className="flex items-center gap-2.5 text-13 whitespace-nowrap">
      <span className="figures">
        <span
          key={seconds > warningBelowS ? 'long' : Math.ceil(seconds / 60)}
          className={`inline-block font-semibold ${seconds > warningBelowS ? '' : 'fade'}`}
        >
          {formatTimeLeft(seconds)}
        </span>
        <span className="max-md:sr-only"> left</span>
      </span>
      <span aria-hidden="true" className="h-1 w-18 overflow-hidden rounded-full bg-on-fill/25 max-lg:hidden">
        <span
          className="block h-full rounded-full bg-on-fill"
          style={{ width: `${Math.min(100, (seconds * 100_000) / impersonationLifetimeMs)}%` }}
        />
      </span>
      <span role="status" className="sr-only">
        {formatTimeLeftNotice(seconds)}
      </span>
    </span>
  );
}

/** All facts of the impersonation, also where the bar is too narrow. */
function ImpersonationFacts({
  username,
  actor,
}: {
  readonly username: string;
  readonly actor: Actor | null;
}) {
  return (
    <Popover
      label="About this impersonation"
      trigger={
        <button
          type="button"
          aria-label="About this impersonation"
          className="grid size-7 shrink-0 place-items-center rounded-control hover:bg-on-fill/12 focus-visible:outline-on-fill max-md:h-11 max-md:w-9"
        >
          <Eye size={16} aria-hidden="true" />
        </button>
      }
    >
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <dt className="text-text-3">Viewing as</dt>
        <dd className="font-medium wrap-anywhere">{username}</dd>
        <dt className="text-text-3">By</dt>
        <dd className="wrap-anywhere">{actor ? `${actor.actor}, ${actor.actor_role}` : 'Loading'}</dd>
        <dt className="text-text-3">Reason</dt>
        <dd className="wrap-anywhere whitespace-pre-line">{actor?.reason ?? 'Loading'}</dd>
      </dl>
      <p className="mt-3 border-t border-line pt-3 text-text-2">
        {disabledFeaturesText}. Everything done here is in the audit log with both names.
      </p>
    </Popover>
  );
}

function BannerBar({
  session,
  impersonation,
}: {
  readonly session: SignedIn;
  readonly impersonation: Impersonation;
}) {
  const seconds = useSecondsLeft(impersonation);
  const { press: onEnd, pending } = useEndImpersonation(session, seconds);
  const actor = useActor(session);
  useEndShortcut(onEnd);

  return (
    <>
      <section
        aria-label="Impersonation"
        data-impersonating
        className="sticky top-0 z-60 flex h-(--impersonation-height) items-center gap-4 bg-accent pr-2 pl-3.5 text-13 text-on-fill max-md:gap-2 max-md:pl-1"
      >
        <div className="flex min-w-0 grow items-center gap-1">
          <ImpersonationFacts username={session.user.username} actor={actor} />
          <p className="flex min-w-0 items-center">
            <span className="max-w-full shrink-0 truncate max-md:shrink">
              Viewing as <strong className="font-semibold">{session.user.username}</strong>
              {session.account === null ? null : `, account ${session.account.name}`}
            </span>
            {actor ? (
              <span className="ml-3.5 flex min-w-0 items-center border-l border-on-fill/40 pl-3.5 max-md:hidden">
                <span className="shrink-0 max-lg:hidden">{`${actor.actor}, ${actor.actor_role}`}</span>
                <span className="truncate lg:ml-4">Reason: {actor.reason}</span>
              </span>
            ) : null}
          </p>
        </div>
        <p className="flex items-center gap-2 whitespace-nowrap max-xl:hidden">
          <Lock size={14} aria-hidden="true" />
          {disabledFeaturesText}
        </p>
        <div className="flex shrink-0 items-center gap-4 max-md:gap-3">
          {seconds === null ? null : <TimeLeft seconds={seconds} />}
          <button
            type="button"
            onClick={onEnd}
            aria-disabled={pending || undefined}
            aria-busy={pending || undefined}
            aria-keyshortcuts="Control+."
            className="inline-flex h-7 items-center gap-2 rounded-control bg-canvas px-3 text-13 font-semibold whitespace-nowrap text-text hover:bg-raised focus-visible:outline-on-fill max-md:h-11 max-md:px-2"
          >
            {pending ? <Spinner size={14} /> : null}
            End impersonation
            {pending ? null : (
              <span aria-hidden="true" className="flex gap-1 max-lg:hidden">
                {['Ctrl', '.'].map((key) => (
                  <kbd
                    key={key}
                    className="rounded-[4px] border border-line-strong px-1.5 font-sans text-11 leading-4 font-medium text-text-2"
                  >
                    {key}
                  </kbd>
                ))}
              </span>
            )}
          </button>
        </div>
      </section>
      <div
        aria-hidden="true"
        className="pointer-events-none fixed inset-0 z-60 border-2 border-t-0 border-accent"
      />
    </>
  );
}

export default function ImpersonationBanner() {
  const session = useSession();
  if (session.status !== 'signed-in' || session.impersonation === null) return null;
  return <BannerBar session={session} impersonation={session.impersonation} />;
}
