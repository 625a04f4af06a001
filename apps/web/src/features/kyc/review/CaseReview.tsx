/**
 * A case on the screen: header, declared details, pictures, decision, and the footer that sends it. Keys: A approves,
 * X rejects (first it opens the reasons, then it confirms), N opens the next case, 1 to 3 a picture. A decision needs
 * a confirmation, because it is final; then the next case opens.
 */
import type { KycPicture } from '@fulcrum/contract';
import { useQueryClient } from '@tanstack/react-query';
import Check from 'lucide-react/icons/check';
import X from 'lucide-react/icons/x';
import { Dialog as Radix } from 'radix-ui';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { createDrafts } from '../../../shared/drafts/index.ts';
import { getPreferences } from '../../../shared/preferences/index.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { formatDay } from '../../../shared/time/dates.ts';
import {
  Button,
  EmptyState,
  IconBadge,
  IconButton,
  Segmented,
  showToast,
  useMediaQuery,
} from '../../../shared/ui/index.ts';
import { isUnderage } from './age.ts';
import { CaseFrame } from './CaseFrame.tsx';
import { ClaimNotice } from './ClaimNotice.tsx';
import { ConfirmDecision } from './ConfirmDecision.tsx';
import type { KycCase } from './cases.ts';
import { DecidedColumn } from './DecidedColumn.tsx';
import { DecisionColumn } from './DecisionColumn.tsx';
import { DeclaredDetails } from './DeclaredDetails.tsx';
import {
  canApprove,
  canReject,
  type Draft,
  type DraftChange,
  documents,
  reduceDraft,
  toFirstDraft,
} from './draft.ts';
import { statusStyles } from './labels.ts';
import { getDecidedText, getQueueEndText } from './queue-texts.ts';
import { removeDecided } from './useChecks.ts';
import { useClaim } from './useClaim.ts';
import { useDecision } from './useDecision.ts';
import { usePictures } from './usePictures.ts';
import { useReviewParams } from './useReviewParams.ts';
import { Viewer } from './Viewer.tsx';

interface CaseReviewProps {
  readonly opened: KycCase;
  /** Another reviewer has decided the case first. */
  readonly conflict: boolean;
  readonly onConflict: () => void;
  readonly onReload: () => void;
}

const steps = [
  { value: 'fields', label: 'Fields' },
  { value: 'documents', label: 'Documents' },
  { value: 'decision', label: 'Decision' },
] as const;
type Step = (typeof steps)[number]['value'];

/** A draft survives opening another case or the list. */
const drafts = createDrafts<Draft>();

const typedIn = 'textarea, input:not([type="radio"], [type="checkbox"]), select';
const Key = ({ children }: { readonly children: string }) => (
  <kbd className="rounded-[4px] border border-current px-1 text-11 leading-4 opacity-70 max-md:hidden">
    {children}
  </kbd>
);

export function CaseReview({ opened, conflict, onConflict, onReload }: CaseReviewProps) {
  const { verification, user, next_id, waiting, may_review } = opened;
  const { open, close } = useReviewParams();
  const cache = useQueryClient();
  // Three columns need their width: below it they are steps.
  const isStepped = !useMediaQuery('(min-width: 1024px)');
  const pictures = usePictures(opened.pictures);
  const [draft, setDraft] = useState(
    () => drafts.get(verification.id) ?? toFirstDraft(isUnderage(verification.date_of_birth, opened.min_age)),
  );
  const [current, setCurrent] = useState<KycPicture>('document_front');
  const [step, setStep] = useState<Step>('documents');
  const [isAsking, setAsking] = useState(false);
  const [objection, setObjection] = useState<string | null>(null);
  const { decide, pending, error } = useDecision(opened);
  const title = useRef<HTMLHeadingElement>(null);
  const column = useRef<HTMLDivElement>(null);
  const isOpen = verification.status === 'pending' && may_review;
  const claim = useClaim(opened, isOpen);
  const { label } = statusStyles[verification.status];
  const isRejecting = draft.outcome === 'retry' || draft.outcome === 'final';

  // Each case starts at its header (`initialFocus`); a case that was decided meanwhile starts again.
  useEffect(() => {
    if (conflict && verification.status !== 'pending') title.current?.focus();
  }, [conflict, verification.status]);

  const change = (what: DraftChange) => {
    setObjection(null);
    const next = reduceDraft(draft, what);
    setDraft(next);
    drafts.set(verification.id, next);
  };
  /** Focuses the first element that `selectors` match, once it is rendered. */
  const lead = (...selectors: readonly string[]) => {
    setStep('decision');
    requestAnimationFrame(() => {
      const found = selectors.map((selector) => column.current?.querySelector(selector)).find(Boolean);
      if (found instanceof HTMLElement) found.focus();
    });
  };
  const approve = () => {
    if (canApprove(draft)) {
      change({ type: 'outcome', outcome: 'approve' });
      setAsking(true);
      return;
    }
    setObjection('An approval needs all three documents accepted, and no reason.');
    lead('[data-undecided] input', '[data-refused] input');
  };
  const reject = () => {
    if (isRejecting && canReject(draft)) {
      setAsking(true);
      return;
    }
    const isFirst = !isRejecting;
    if (isFirst) change({ type: 'outcome', outcome: 'retry' });
    if (!isFirst || draft.picked.length > 0) {
      setObjection(
        draft.picked.length === 0
          ? 'A rejection needs at least one reason.'
          : 'Each reason needs a text for the trader.',
      );
    }
    lead('[data-refused] + fieldset input', '[data-undecided] input[id^="kyc-refuse"]', 'summary');
  };
  const next = () => {
    if (next_id !== null) open(next_id);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    const isTyping = target instanceof Element && target.matches(typedIn);
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.repeat || isAsking) return;
    if (!getPreferences().pageKeys) return;
    const key = event.key.toLowerCase();
    const index = ['1', '2', '3'].indexOf(key);
    const document = documents[index];
    if (document !== undefined) {
      setStep('documents');
      setCurrent(document);
      requestAnimationFrame(() => window.document.getElementById(`kyc-pane-${document}`)?.focus());
    } else if (key === 'n') next();
    else if (key === 'a' && isOpen) approve();
    else if (key === 'x' && isOpen) reject();
    else return;
    event.preventDefault();
  };

  const send = async () => {
    const sent = await decide(draft);
    if (sent === null || sent === 'failed') return;
    setAsking(false);
    drafts.delete(verification.id);
    if (sent === 'conflict') {
      onConflict();
      return;
    }
    removeDecided(cache, verification.id);
    const done = `${user.username} ${draft.outcome === 'approve' ? 'approved' : 'rejected'}`;
    showToast('success', getDecidedText(done, opened));
    if (next_id === null) close();
    else open(next_id);
  };

  const shows = (which: Step) => !isStepped || step === which;
  return (
    <CaseFrame
      title={null}
      initialFocus={title}
      onKeyDown={onKeyDown}
      onEscape={(event) => isAsking && event.preventDefault()}
    >
      <header className="flex h-16 shrink-0 items-center gap-3 border-b border-line pr-3 pl-5 max-md:h-14 max-md:pl-3">
        <div className="min-w-0">
          <Radix.Title
            ref={title}
            tabIndex={-1}
            className="truncate text-16 font-semibold outline-none"
            aria-label={`Identity check of ${user.username}, attempt ${verification.attempt}, ${label.toLowerCase()}`}
          >
            <bdi>{user.username}</bdi>
          </Radix.Title>
          <p className="truncate text-12 text-text-3">{user.email}</p>
        </div>
        <IconBadge
          variant={statusStyles[verification.status]}
          label={`${label}, attempt ${verification.attempt}`}
        />
        <span className="ml-auto inline-flex items-center gap-3 text-12 text-text-3">
          <span className="whitespace-nowrap max-lg:hidden">
            Submitted <DateTime iso={verification.submitted_at} />
          </span>
          <span className="figures whitespace-nowrap max-md:hidden">{`${waiting} waiting`}</span>
          <Radix.Close asChild>
            <IconButton label="Close">
              <X size={16} aria-hidden="true" />
            </IconButton>
          </Radix.Close>
        </span>
      </header>
      {conflict ? (
        <p role="alert" className="border-b border-line bg-warn-weak px-5 py-2 text-13 max-md:px-3">
          Someone else changed this in the meantime.
          {verification.status === 'pending' ? null : (
            <>
              {` ${label} by ${opened.reviewer_name ?? 'another admin'}, `}
              <DateTime iso={verification.reviewed_at} />. Your decision was not saved.
            </>
          )}
        </p>
      ) : null}
      {isOpen ? <ClaimNotice {...claim} onClaim={claim.request} /> : null}
      {isStepped ? (
        <div className="border-b border-line p-2">
          <Segmented label="Step" options={steps} value={step} onChange={setStep} />
        </div>
      ) : null}
      <div className="grid min-h-0 grow max-lg:flex max-lg:flex-col max-lg:overflow-y-auto lg:max-xl:grid-cols-[minmax(0,1fr)_300px] lg:max-xl:grid-rows-[auto_minmax(0,1fr)] xl:grid-cols-[292px_minmax(0,1fr)_312px] xl:grid-rows-[minmax(0,1fr)]">
        {shows('fields') ? (
          <section
            aria-label="Declared"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
            tabIndex={0}
            className="min-h-0 overflow-y-auto p-5 -outline-offset-2 max-md:p-3 lg:max-xl:max-h-52 lg:max-xl:border-b lg:max-xl:border-line lg:max-xl:py-3 xl:border-r xl:border-line"
          >
            <DeclaredDetails opened={opened} />
          </section>
        ) : null}
        {shows('documents') ? (
          <section aria-label="Documents" className="flex min-h-0 min-w-0 max-lg:grow lg:max-xl:row-start-2">
            {opened.pictures_discarded_at === null ? (
              <Viewer
                opened={opened}
                pictures={pictures}
                verdicts={draft.verdicts}
                current={current}
                onCurrent={setCurrent}
                onReload={onReload}
              />
            ) : (
              <EmptyState title="The pictures were deleted">
                Pictures are deleted some time after the decision. These were deleted on{' '}
                {formatDay(opened.pictures_discarded_at)}. The decision stays.
              </EmptyState>
            )}
          </section>
        ) : null}
        {shows('decision') ? (
          <section
            ref={column}
            aria-label="Decision"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
            tabIndex={0}
            className="min-h-0 overflow-y-auto border-l border-line p-5 -outline-offset-2 max-lg:border-l-0 max-md:p-3 lg:max-xl:col-start-2 lg:max-xl:row-span-2 lg:max-xl:row-start-1 lg:max-xl:p-4"
          >
            {isOpen ? (
              <DecisionColumn opened={opened} draft={draft} onChange={change} objection={objection} />
            ) : verification.status === 'pending' ? (
              <p className="text-13 text-text-2">
                This is your own identity check. Another admin must decide it.
              </p>
            ) : (
              <DecidedColumn opened={opened} />
            )}
          </section>
        ) : null}
      </div>
      <footer className="flex min-h-16 shrink-0 items-center gap-2 border-t border-line px-5 max-md:px-3 max-md:pb-[env(safe-area-inset-bottom)]">
        {next_id === null ? (
          <span className="text-12 text-text-3 max-md:hidden">{getQueueEndText(opened)}</span>
        ) : (
          <Button tone="quiet" onClick={next} className="max-md:!px-2">
            {isStepped ? 'Next' : 'Next in queue'}
            <Key>N</Key>
          </Button>
        )}
        {isOpen ? (
          <span className="ml-auto inline-flex gap-2">
            <Button
              tone={draft.outcome === 'approve' ? 'up' : 'secondary'}
              muted={!canApprove(draft)}
              aria-keyshortcuts="A"
              onClick={approve}
            >
              <Check size={14} aria-hidden="true" className="max-md:hidden" />
              Approve
              <Key>A</Key>
            </Button>
            <Button tone={isRejecting ? 'down' : 'secondary'} aria-keyshortcuts="X" onClick={reject}>
              <X size={14} aria-hidden="true" className="max-md:hidden" />
              {draft.outcome === 'final' ? 'Reject, final' : isRejecting ? 'Reject, ask again' : 'Reject'}
              <Key>X</Key>
            </Button>
          </span>
        ) : null}
      </footer>
      {isAsking ? (
        <ConfirmDecision
          opened={opened}
          draft={draft}
          pending={pending}
          error={error}
          onConfirm={send}
          onCancel={() => setAsking(false)}
        />
      ) : null}
    </CaseFrame>
  );
}
