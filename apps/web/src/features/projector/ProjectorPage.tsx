/**
 * `/admin/projector` and `/manager/projector`: the ranking of a contest (`?contest=`) or of a class (`?class=`) for a room. Nothing else is on the
 * page, and its controls disappear on the full screen until the pointer or a key is used. Names are shown (`?names=shown`) as the contest or class has it
 * until the user decides.
 */
import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useSignedIn } from '../../shared/session/index.ts';
import { chooseTheme } from '../../shared/theme/appearance.ts';
import { formatClockWithSeconds } from '../../shared/time/dates.ts';
import {
  Button,
  ButtonLink,
  EmptyState,
  ErrorState,
  PageSpinner,
  useFullScreen,
} from '../../shared/ui/index.ts';
import { Board, boardRowsMax } from './Board.tsx';
import { type BoardState, type FailedRead, useClassBoard, useContestBoard, useNow } from './useBoard.ts';
import { useWakeLock } from './useWakeLock.ts';

/** Three reads that did not come. */
const oldAfterMs = 20_000;
const controlsForMs = 4_000;

/** The time changes every few seconds, so only a lost and a regained connection are announced. */
function StatusLine({ board: { at, isFinal, isFailing } }: { readonly board: BoardState }) {
  const now = useNow();
  const isOld = at !== 0 && !isFinal && (isFailing || now - at > oldAfterMs);
  const [wasOld, setWasOld] = useState(false);
  if (isOld && !wasOld) setWasOld(true);
  return (
    <>
      {at === 0 ? (
        <span>{isFailing ? 'Connecting…' : ''}</span>
      ) : (
        <span className={isOld ? 'font-semibold text-warn' : ''}>
          {isFinal ? 'Result of ' : isOld ? 'Reconnecting. Ranking of ' : 'Ranking of '}
          {formatClockWithSeconds(at)}
        </span>
      )}
      <span role="status" className="sr-only">
        {isOld ? 'Reconnecting' : wasOld ? 'Connected again' : ''}
      </span>
    </>
  );
}

/** Whether the pointer or a key was used in the last seconds. */
function useActivity(): boolean {
  const [isActive, setActive] = useState(true);
  useEffect(() => {
    let timer = setTimeout(() => setActive(false), controlsForMs);
    const note = () => {
      setActive(true);
      clearTimeout(timer);
      timer = setTimeout(() => setActive(false), controlsForMs);
    };
    const events = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;
    for (const event of events) document.addEventListener(event, note);
    return () => {
      clearTimeout(timer);
      for (const event of events) document.removeEventListener(event, note);
    };
  }, []);
  return isActive;
}

const otherTheme = () => (document.documentElement.dataset.theme === 'light' ? 'dark' : 'light');

function Failed({ what, of: { retry, isRetrying } }: { readonly what: string; readonly of: FailedRead }) {
  return <ErrorState title={`Failed to load ${what}`} onRetry={retry} retrying={isRetrying} />;
}

/** What stands there instead of a ranking. */
function Instead({ children }: { readonly children: ReactNode }) {
  return (
    <main className="fixed inset-0 flex flex-col items-center justify-center gap-3">
      <title>Projector · Fulcrum</title>
      {children}
    </main>
  );
}

function Projector({ board, back }: { readonly board: BoardState; readonly back: string }) {
  const [search, setSearch] = useSearchParams();
  const { ref, isFull, toggle, isPossible } = useFullScreen<HTMLElement>();
  const wakeLock = useWakeLock();
  const isActive = useActivity();
  const chosen = search.get('names');
  const showsNames = chosen === null ? board.showsNames : chosen === 'shown';
  const { title, state, total, rows, failed } = board;
  const setNames = () => {
    search.set('names', showsNames ? 'hidden' : 'shown');
    setSearch(search, { replace: true });
  };
  return (
    <main
      ref={ref}
      className="fixed inset-0 flex flex-col gap-[1.5vh] bg-canvas px-[2.5vw] py-[2.5vh] text-text"
    >
      <title>{`${title} · Projector`}</title>
      <header className="flex flex-wrap items-baseline gap-x-[2vw] text-[clamp(13px,min(2.4vh,1.4vw),120px)] leading-tight text-text-2">
        <h1 className="min-w-0 grow truncate text-[clamp(20px,min(5.4vh,3.2vw),260px)] leading-tight font-semibold text-text">
          <bdi>{title}</bdi>
        </h1>
        <span>{state}</span>
        <StatusLine board={board} />
      </header>
      {rows === undefined ? (
        <div className="grow">
          {failed === null ? <PageSpinner /> : <Failed what="the ranking" of={failed} />}
        </div>
      ) : rows.length === 0 ? (
        <div className="grow">
          <EmptyState title="No one yet">The ranking begins with the first one.</EmptyState>
        </div>
      ) : (
        <Board label={`Ranking of ${title}`} rows={rows} showsNames={showsNames} />
      )}
      <footer className="flex min-h-9 flex-wrap items-center gap-2 text-[clamp(12px,min(1.9vh,1.1vw),100px)] leading-tight text-text-3">
        <p className="grow">
          {total > boardRowsMax ? `The first ${boardRowsMax} of ${total}. ` : ''}Simulated trading.
          {wakeLock.isOn ? ' The screen stays on.' : ''}
        </p>
        <div className={`flex flex-wrap gap-2 ${isFull && !isActive ? 'invisible' : ''}`}>
          <Button size="compact" onClick={setNames}>
            {showsNames ? 'Hide names' : 'Show names'}
          </Button>
          {wakeLock.isPossible ? (
            <Button size="compact" onClick={() => wakeLock.setChosen(!wakeLock.isChosen)}>
              {wakeLock.isChosen ? 'Let the screen sleep' : 'Keep the screen on'}
            </Button>
          ) : null}
          <Button size="compact" onClick={() => chooseTheme(otherTheme())}>
            Dark or light
          </Button>
          {isPossible ? (
            <Button size="compact" onClick={() => void toggle()}>
              {isFull ? 'Leave full screen' : 'Full screen'}
            </Button>
          ) : null}
          {isFull ? null : (
            <ButtonLink to={back} size="compact" tone="quiet">
              Back
            </ButtonLink>
          )}
        </div>
      </footer>
    </main>
  );
}

export default function ProjectorPage() {
  const [search] = useSearchParams();
  const isTutor = useSignedIn().user.role === 'manager';
  const contestId = search.get('contest');
  const classId = search.get('class');
  const ofContest = useContestBoard(contestId);
  const ofClass = useClassBoard(contestId === null ? classId : null);
  const found = contestId === null ? ofClass : ofContest;
  const home = isTutor ? '/manager' : '/admin';
  const back =
    contestId !== null
      ? `${home}/contests?contest=${contestId}`
      : isTutor
        ? `${home}?class=${classId ?? ''}`
        : `${home}/classes?class=${classId ?? ''}`;
  if (found.kind === 'board') return <Projector board={found.board} back={back} />;
  if (found.kind === 'failed') {
    return (
      <Instead>
        <Failed what={contestId === null ? 'the classes' : 'the contests'} of={found.failed} />
        <ButtonLink to={back}>Back</ButtonLink>
      </Instead>
    );
  }
  if (found.kind === 'withdrawn') {
    return (
      <Instead>
        <EmptyState title={`${found.title} was withdrawn`}>
          It was withdrawn before it began, so it has no ranking.
        </EmptyState>
        <ButtonLink to={back}>Back</ButtonLink>
      </Instead>
    );
  }
  if (found.kind === 'pending' && (contestId ?? classId) !== null) return <PageSpinner />;
  return (
    <Instead>
      <EmptyState title="Nothing to show">
        The address names no contest and no class of yours. Open the projector from its page.
      </EmptyState>
      <ButtonLink to={`${home}/contests`}>Contests</ButtonLink>
    </Instead>
  );
}
