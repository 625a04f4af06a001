/**
 * The reviewer's verdicts, reasons, decision and texts. Native radios and checkboxes are styled, so that arrows, Tab
 * and Space work as usual.
 */
import type { KycPicture } from '@fulcrum/contract';
import { kycReasonOf } from '@fulcrum/domain';
import Check from 'lucide-react/icons/check';
import X from 'lucide-react/icons/x';
import { useId, useState } from 'react';
import type { KycCase } from './cases.ts';
import {
  canApprove,
  type Draft,
  type DraftChange,
  documents,
  isPicked,
  type Outcome,
  reasonsFor,
  type Verdict,
} from './draft.ts';
import { getDocumentLabel, getReasonLabel } from './labels.ts';

interface DecisionColumnProps {
  readonly opened: KycCase;
  readonly draft: Draft;
  readonly onChange: (change: DraftChange) => void;
  /** Why the decision cannot be sent; shown after an attempt to send it. */
  readonly objection: string | null;
}

/** Shown at once; a button shows the others. */
const commonReasons = 5;

const verdictStyles = {
  accepted: { Icon: Check, label: 'Accept', on: 'border-up bg-up-weak text-up' },
  refused: { Icon: X, label: 'Refuse', on: 'border-down bg-down-weak text-down' },
} as const;

function VerdictRadio({
  verdict,
  name,
  title,
  isChosen,
  onChoose,
  id,
}: {
  readonly verdict: Verdict;
  readonly name: string;
  readonly title: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly id: string | undefined;
}) {
  const { Icon, label, on } = verdictStyles[verdict];
  return (
    <span
      className={`relative grid h-7 w-8 place-items-center rounded-control border transition-colors max-md:size-11 ${
        isChosen ? on : 'border-line-control text-text-2 hover:border-text-3'
      }`}
    >
      <Icon size={14} aria-hidden="true" />
      <input
        type="radio"
        id={id}
        name={name}
        checked={isChosen}
        onChange={onChoose}
        aria-label={`${label} ${title}`}
        title={`${label} ${title}`}
        className="absolute -inset-px m-0 cursor-pointer appearance-none rounded-control"
      />
    </span>
  );
}

function Chips({
  about,
  title,
  draft,
  onChange,
}: {
  readonly about: KycPicture | null;
  readonly title: string;
  readonly draft: Draft;
  readonly onChange: (change: DraftChange) => void;
}) {
  const [isWide, setWide] = useState(about === null);
  const reasons = reasonsFor(about);
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="sr-only">{`Reasons: ${title}`}</legend>
      {reasons.map(({ code, label, confidential }, index) => {
        const isChosen = isPicked(draft, about, code);
        if (index >= commonReasons && !isWide && !isChosen) return null;
        return (
          <label
            key={code}
            className={`relative inline-flex h-6 items-center gap-1 rounded-badge border px-2 text-11 font-medium transition-colors max-md:h-11 max-md:px-3 max-md:text-12 ${
              isChosen
                ? 'border-down bg-down-weak text-down'
                : 'border-line-control text-text-2 hover:border-text-3'
            }`}
          >
            <input
              type="checkbox"
              checked={isChosen}
              onChange={() => onChange({ type: 'reason', document: about, code })}
              className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-badge"
            />
            {isChosen ? <Check size={11} aria-hidden="true" /> : null}
            {label}
            {confidential ? <span className="sr-only">(not shown to the trader)</span> : null}
          </label>
        );
      })}
      {isWide ? null : (
        <button
          type="button"
          aria-label={`More reasons: ${title}`}
          onClick={(event) => {
            // The button disappears; the focus stays among the reasons.
            event.currentTarget.closest('fieldset')?.querySelector('input')?.focus();
            setWide(true);
          }}
          className="h-6 rounded-badge px-2 text-11 font-medium text-accent hover:bg-raised max-md:h-11 max-md:px-3 max-md:text-12"
        >
          More
        </button>
      )}
    </fieldset>
  );
}

const outcomes: readonly { readonly value: Outcome; readonly label: string; readonly consequence: string }[] =
  [
    { value: 'approve', label: 'Approve', consequence: 'The trader is verified.' },
    { value: 'retry', label: 'Reject, ask for new documents', consequence: 'The trader can submit again.' },
    {
      value: 'final',
      label: 'Reject, final',
      consequence: 'No further submission; the trader must contact support.',
    },
  ];

function Outcomes({ draft, onChange }: Pick<DecisionColumnProps, 'draft' | 'onChange'>) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1.5 text-12 font-semibold">Decision</legend>
      {outcomes.map(({ value, label, consequence }) => {
        const isOff = value === 'approve' && !canApprove(draft);
        const isChosen = draft.outcome === value;
        return (
          <label
            key={value}
            className={`relative flex items-start gap-2.5 rounded-control border p-2 transition-colors ${
              isChosen
                ? value === 'approve'
                  ? 'border-up bg-up-weak'
                  : 'border-down bg-down-weak'
                : `border-transparent ${isOff ? '' : 'hover:bg-raised'}`
            }`}
          >
            <input
              type="radio"
              name={name}
              checked={isChosen}
              disabled={isOff}
              onChange={() => onChange({ type: 'outcome', outcome: value })}
              className={`mt-[3px] size-3.5 shrink-0 appearance-none rounded-full border border-line-control bg-inset checked:border-4 disabled:opacity-50 ${value === 'approve' ? 'checked:border-up' : 'checked:border-down'}`}
            />
            <span>
              <span className={`block text-13 font-medium ${isOff ? 'text-text-3' : ''}`}>{label}</span>
              <span className="block text-12 text-text-3">
                {isOff ? 'Needs all three documents accepted, and no reason.' : consequence}
              </span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

const textareaStyles = 'control w-full resize-y px-2.5 py-1.5 text-13 max-md:text-16';

/** One text per public reason; the confidential reasons share one fixed text. */
function PublicTexts({ opened, draft, onChange }: Omit<DecisionColumnProps, 'objection'>) {
  const id = useId();
  const publicReasons = draft.picked.filter(({ code }) => kycReasonOf(code)?.confidential !== true);
  const hidden = draft.picked.find(({ code }) => kycReasonOf(code)?.confidential === true);
  if (draft.picked.length === 0) return null;
  const about = (document: KycPicture | null) =>
    document === null ? '' : ` (${getDocumentLabel(document, opened.verification.document_type)})`;
  return (
    <section aria-labelledby={`${id}-heading`} className="flex flex-col gap-2">
      <h3 id={`${id}-heading`} className="text-12 font-semibold">
        Text for the trader
      </h3>
      {publicReasons.map(({ document, code, text }) => (
        <div key={`${document} ${code}`}>
          <label htmlFor={`${id}-${document}-${code}`} className="text-11 text-text-3">
            {`${getReasonLabel(code)}${about(document)}`}
          </label>
          <textarea
            id={`${id}-${document}-${code}`}
            rows={2}
            maxLength={300}
            value={text}
            onChange={(event) => onChange({ type: 'text', document, code, text: event.target.value })}
            className={textareaStyles}
          />
        </div>
      ))}
      {hidden === undefined ? null : (
        <p className="rounded-control border border-line bg-inset px-2.5 py-1.5 text-12 text-text-2">
          {hidden.text} <span className="text-text-3">(Shown in place of confidential reasons.)</span>
        </p>
      )}
    </section>
  );
}

export function DecisionColumn({ opened, draft, onChange, objection }: DecisionColumnProps) {
  const id = useId();
  const type = opened.verification.document_type;
  return (
    <div className="flex flex-col gap-4">
      <section className="flex flex-col gap-2.5">
        <h3 className="text-12 font-semibold">Documents</h3>
        {documents.map((document) => {
          const title = getDocumentLabel(document, type);
          const verdict = draft.verdicts[document];
          return (
            <div key={document} className="flex flex-col gap-2">
              <div
                role="radiogroup"
                aria-label={title}
                data-undecided={verdict === undefined ? document : undefined}
                data-refused={verdict === 'refused' ? document : undefined}
                className="flex items-center gap-1.5"
              >
                <span className="min-w-0 grow truncate text-13 font-medium">{title}</span>
                {(['accepted', 'refused'] as const).map((one) => (
                  <VerdictRadio
                    key={one}
                    verdict={one}
                    id={one === 'refused' ? `kyc-refuse-${document}` : undefined}
                    name={`${id}-${document}`}
                    title={title}
                    isChosen={verdict === one}
                    onChoose={() => onChange({ type: 'judged', document, verdict: one })}
                  />
                ))}
              </div>
              {verdict === 'refused' ? (
                <Chips about={document} title={title} draft={draft} onChange={onChange} />
              ) : null}
            </div>
          );
        })}
      </section>
      <details open={draft.picked.some(({ document }) => document === null) || undefined}>
        <summary className="cursor-pointer rounded-control py-0.5 text-12 font-semibold max-md:py-3">
          Declared details or the whole submission
        </summary>
        <div className="mt-2">
          <Chips about={null} title="the whole submission" draft={draft} onChange={onChange} />
        </div>
      </details>
      <Outcomes draft={draft} onChange={onChange} />
      <PublicTexts opened={opened} draft={draft} onChange={onChange} />
      <div>
        <div className="mb-1 flex items-baseline justify-between">
          <label htmlFor={`${id}-note`} className="text-12 font-semibold">
            Private note
          </label>
          <span id={`${id}-note-hint`} className="text-11 text-text-3">
            Admins only
          </span>
        </div>
        <textarea
          id={`${id}-note`}
          aria-describedby={`${id}-note-hint`}
          rows={2}
          maxLength={1000}
          placeholder="Optional"
          value={draft.note}
          onChange={(event) => onChange({ type: 'note', note: event.target.value })}
          className={textareaStyles}
        />
      </div>
      <p role="alert" className="text-12 text-down empty:hidden">
        {objection}
      </p>
    </div>
  );
}
