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
import { announce, Spinner } from '../shared/ui/index.ts';
import { formatTimeLeft, noticeOf } from './time-left.ts';

const longestMs = 3_600_000;
const retryEveryMs = 5_000;

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
        <span className="font-semibold">{formatTimeLeft(seconds)}</span>
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

function Bar({ session, acting }: { readonly session: SignedIn; readonly acting: Acting }) {
  const seconds = useSecondsLeft(acting);
  const { press, pending } = useEnding(session, seconds);
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
        className="sticky top-0 z-60 flex h-(--acting-height) items-center gap-4 bg-accent pr-2 pl-5 text-13 text-on-fill max-md:gap-3 max-md:pl-3"
      >
        <p className="flex min-w-0 items-center gap-2.5">
          <Eye size={16} aria-hidden="true" className="shrink-0 max-md:hidden" />
          <span className="truncate">
            Viewing as <strong className="font-semibold">{session.user.username}</strong>
          </span>
        </p>
        <p className="ml-auto flex items-center gap-2 whitespace-nowrap max-lg:hidden">
          <Lock size={14} aria-hidden="true" />
          Chat, KYC, password and email are off
        </p>
        <div className="flex shrink-0 items-center gap-4 max-lg:ml-auto max-md:gap-3">
          {seconds === null ? null : <TimeLeft seconds={seconds} />}
          <button
            type="button"
            onClick={press}
            aria-disabled={pending || undefined}
            aria-busy={pending || undefined}
            aria-keyshortcuts="Control+."
            className="inline-flex h-7 items-center gap-2 rounded-control bg-canvas px-3 text-13 font-semibold whitespace-nowrap text-text hover:bg-raised focus-visible:outline-on-fill max-md:h-9 max-md:px-2"
          >
            {pending ? <Spinner size={14} /> : null}
            End impersonation
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
