/**
 * While staff act as somebody else (A45): a bar above every page and a frame around the window, so that nobody takes the
 * account on screen, or a screenshot of it, for their own. Its height is a token that the layouts reckon with.
 *
 * Known limitation: the time left is measured on this machine's clock; the server ends it by its own.
 */
import Eye from 'lucide-react/icons/eye';
import Lock from 'lucide-react/icons/lock';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { log } from '../shared/log/log.ts';
import { type Acting, endActing, homeOf, type SignedIn, useSession } from '../shared/session/index.ts';
import { announce, Popover, Spinner } from '../shared/ui/index.ts';
import { formatTimeLeft, noticeOf } from './time-left.ts';
import { type Actor, useActor } from './useActor.ts';

const longestMs = 3_600_000;
const retryEveryMs = 5_000;
/** The last of it is said to the eye once a minute, as it is to the ear. */
const nearlyOverS = 120;
const whatIsOff = 'Chat, KYC, password and email are off';

function useSecondsLeft({ untilMs }: Acting): number | null {
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

/** Ends it on request, and by itself when the time is up. */
function useEnding({ supabase, user }: SignedIn, secondsLeft: number | null) {
  const navigate = useNavigate();
  const [pending, setPending] = useState(false);
  const isUnderWay = useRef<boolean>(false);

  const end = useCallback(async (): Promise<boolean> => {
    if (isUnderWay.current) return true;
    isUnderWay.current = true;
    setPending(true);
    try {
      const original = await endActing(supabase);
      if (original) await navigate(homeOf(original.role), { replace: true });
      return true;
    } catch (cause) {
      log.warn('Ending the impersonation failed', cause);
      return false;
    } finally {
      isUnderWay.current = false;
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

  const press = useCallback(async () => {
    if (await end()) return;
    announce('error', `Still viewing as ${user.username}`, {
      description: 'The server did not answer. Please try again.',
      id: 'acting',
    });
  }, [end, user.username]);
  return { press, pending };
}

/** Ctrl+. from anywhere on the page. */
function useEndKey(press: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '.' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      press();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [press]);
}

function TimeLeft({ seconds }: { readonly seconds: number }) {
  return (
    <span className="flex items-center gap-2.5 text-13 whitespace-nowrap">
      <span className="figures">
        <span
          key={seconds > nearlyOverS ? 'long' : Math.ceil(seconds / 60)}
          className={`inline-block font-semibold ${seconds > nearlyOverS ? '' : 'fade'}`}
        >
          {formatTimeLeft(seconds)}
        </span>
        <span className="max-md:sr-only"> left</span>
      </span>
      <span aria-hidden="true" className="h-1 w-18 overflow-hidden rounded-full bg-on-fill/25 max-lg:hidden">
        <span
          className="block h-full rounded-full bg-on-fill"
          style={{ width: `${Math.min(100, (seconds * 100_000) / longestMs)}%` }}
        />
      </span>
      <span role="status" className="sr-only">
        {noticeOf(seconds)}
      </span>
    </span>
  );
}

/** All of it, also where the bar has no room for it. */
function Facts({ username, actor }: { readonly username: string; readonly actor: Actor | null }) {
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
        {whatIsOff}. Everything done here is in the audit log with both names.
      </p>
    </Popover>
  );
}

function Bar({ session, acting }: { readonly session: SignedIn; readonly acting: Acting }) {
  const seconds = useSecondsLeft(acting);
  const { press, pending } = useEnding(session, seconds);
  const actor = useActor(session);
  useEndKey(press);

  useLayoutEffect(() => {
    const root = document.documentElement;
    root.dataset.acting = '';
    return () => {
      delete root.dataset.acting;
    };
  }, []);

  return (
    <>
      <section
        aria-label="Impersonation"
        className="sticky top-0 z-60 flex h-(--acting-height) items-center gap-4 bg-accent pr-2 pl-3.5 text-13 text-on-fill max-md:gap-2 max-md:pl-1"
      >
        <div className="flex min-w-0 grow items-center gap-1">
          <Facts username={session.user.username} actor={actor} />
          <p className="flex min-w-0 items-center">
            <span className="max-w-full shrink-0 truncate max-md:shrink">
              Viewing as <strong className="font-semibold">{session.user.username}</strong>
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
          {whatIsOff}
        </p>
        <div className="flex shrink-0 items-center gap-4 max-md:gap-3">
          {seconds === null ? null : <TimeLeft seconds={seconds} />}
          <button
            type="button"
            onClick={press}
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

export default function ActingBanner() {
  const session = useSession();
  if (session.status !== 'signed-in' || session.acting === null) return null;
  return <Bar session={session} acting={session.acting} />;
}
