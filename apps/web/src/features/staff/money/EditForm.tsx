/** The two columns of Edit Position and its footer. The submit button states the amount that will be booked. */

import { texts } from '@fulcrum/contract/texts';
import { parseDecimal, toDecimalString } from '@fulcrum/domain';
import Calculator from 'lucide-react/icons/calculator';
import Check from 'lucide-react/icons/check';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ConflictNotice } from '../../../shared/form/ConflictNotice.tsx';
import { formatDay } from '../../../shared/time/dates.ts';
import { Button, FormError, showToast } from '../../../shared/ui/index.ts';
import { unknownUser } from '../user-dialogs/unknown-user.ts';
import { CategorizedReasonField } from './CategorizedReasonField.tsx';
import { EditRow } from './EditRow.tsx';
import { balanceChange, EffectPane } from './EffectPane.tsx';
import { changedFields, editFields } from './edit-form.ts';
import { formatMoney } from './format-position.ts';
import { editReasons, type Reason, toReasonText } from './reasons.ts';
import type { Edit } from './useEdit.ts';

interface EditFormProps {
  readonly edit: Edit;
  readonly onClose: () => void;
  readonly onSaved: () => void;
  /** Called with whether closing would lose changes. */
  readonly onDirty: (isDirty: boolean) => void;
  /** The user tried to close with unsaved changes; the form asks for confirmation. */
  readonly isLeaving: boolean;
  readonly onStay: () => void;
}

/** The PnL computed from the prices, beside the entered one. */
function DerivedPnl({ edit }: { readonly edit: Edit }) {
  const { preview, position, texts: typed, type } = edit;
  const derived = preview?.derived_pnl ?? null;
  if (position.status === 'open' || derived === null) return null;
  const isSame = Number(typed.realized_pnl || '0') === derived;
  return (
    <div className="mt-1.5 flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1 rounded-control bg-inset px-3 py-1 text-12 text-text-2 md:ml-[124px]">
      <Calculator size={14} aria-hidden="true" className="shrink-0 text-accent" />
      <span>
        Close price alone never changes PnL. By it, PnL is{' '}
        <span className="figures font-semibold text-text">{formatMoney(derived)}</span>
      </span>
      {isSame ? (
        <span className="ml-auto inline-flex items-center gap-1 text-up">
          <Check size={14} aria-hidden="true" />
          Same
        </span>
      ) : (
        <Button
          size="compact"
          className="ml-auto"
          aria-label={`Use ${formatMoney(derived)} as realized PnL`}
          onClick={() => type('realized_pnl', toDecimalString(parseDecimal(derived)))}
        >
          Use
        </Button>
      )}
    </div>
  );
}

function Conflict({ edit }: { readonly edit: Edit }) {
  const { before, position, form, reset } = edit;
  if (before === null) return null;
  const theirs = changedFields(before, position).length;
  const mine = form.changed.length;
  return (
    <ConflictNotice
      version={position.version}
      onDiscard={mine === 0 ? null : reset}
      discardLabel="Use their version"
      className="mx-6 mb-2 max-md:mx-3"
    >
      {`Under Current is version ${position.version} with ${theirs === 1 ? '1 field' : `${theirs} fields`} changed from version ${before.version}. `}
      {mine === 0 ? 'Your entries match it.' : 'Your changes stay under New. Compare both, then save again.'}
    </ConflictNotice>
  );
}

const saveLabel = (change: number): string => {
  if (change === 0) return 'Save changes';
  return `Save and ${change > 0 ? 'credit' : 'debit'} ${formatMoney(Math.abs(change))} USDT`;
};

export function EditForm({ edit, onClose, onSaved, onDirty, isLeaving, onStay }: EditFormProps) {
  const { position, before, texts: typed, form, preview, isCurrent, pending, error } = edit;
  const [reason, setReason] = useState<Reason<(typeof editReasons)[number]>>({ kind: 'Price', text: '' });
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const root = useRef<HTMLFormElement>(null);
  const { changed, errors } = form;
  const reasonText = toReasonText(reason);
  const isDirty = changed.length > 0 || reason.text.trim() !== '';
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);

  const refusal = isCurrent && changed.length > 0 ? (preview?.refusal ?? null) : null;
  const hasErrors = Object.keys(errors).length > 0;
  const isMuted = changed.length === 0 || hasErrors || refusal !== null;
  const change = isCurrent && changed.length > 0 ? balanceChange(preview) : 0;
  const username = position.user?.username ?? unknownUser;

  const send = async (event: FormEvent) => {
    event.preventDefault();
    setWasSubmitted(true);
    if (isMuted) {
      root.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
      return;
    }
    if (reasonText === null) {
      root.current?.querySelector('textarea')?.focus();
      return;
    }
    if (!(await edit.send(reasonText))) return;
    showToast('success', 'Position updated', {
      description:
        change === 0
          ? `${position.symbol} of ${username}`
          : `${formatMoney(change, 'always')} USDT for ${username}`,
    });
    onSaved();
  };

  return (
    <form ref={root} noValidate onSubmit={send} className="flex min-h-0 grow flex-col">
      <div className="grid min-h-0 grow grid-cols-[minmax(0,1fr)_348px] grid-rows-[minmax(596px,auto)] overflow-y-auto max-xl:grid-cols-[minmax(0,1fr)_300px] max-[959.98px]:block">
        <div className="py-2">
          <div
            aria-hidden="true"
            className="grid h-8 grid-cols-[124px_minmax(110px,154px)_14px_224px_minmax(0,1fr)] items-center gap-x-3 px-6 text-11 font-medium text-text-3 max-xl:grid-cols-[104px_minmax(88px,1fr)_14px_196px_88px] max-md:hidden"
          >
            <span>Field</span>
            <span className="text-right">Current</span>
            <span />
            <span>New</span>
            <span className="text-right">Change</span>
          </div>
          <Conflict edit={edit} />
          {editFields.map((field) => (
            <EditRow
              key={field}
              field={field}
              position={position}
              before={before}
              text={typed[field]}
              isChanged={changed.includes(field)}
              error={errors[field]}
              onType={(text) => edit.type(field, text)}
              onUndo={() => edit.undo(field)}
            >
              {field === 'realized_pnl' ? <DerivedPnl edit={edit} /> : null}
            </EditRow>
          ))}
          {position.status === 'open' ? (
            <p className="px-6 py-2 text-12 text-text-3 max-md:px-3">
              You can change close price, realized PnL and close time once the position is closed.
            </p>
          ) : null}
        </div>
        <div className="flex flex-col gap-4 border-l border-line px-6 py-4 max-xl:px-4 max-[959.98px]:border-t max-[959.98px]:border-l-0 max-md:px-3">
          <EffectPane
            position={position}
            preview={preview}
            isCurrent={isCurrent}
            isRequested={changed.length > 0}
            requestedColumns={new Set(changed)}
            onShowBoth={edit.showBoth}
          />
          {edit.isUnread ? (
            <p role="status" className="text-12 text-warn">
              What this would do could not be read; the server checks it when you save.
            </p>
          ) : null}
          <CategorizedReasonField
            kinds={editReasons}
            reason={reason}
            onChange={setReason}
            placeholder="What was wrong, and where it is documented"
            error={wasSubmitted && reasonText === null ? texts.reasonRequired : null}
            hint={`${username} sees “Adjusted by staff on ${formatDay(new Date().toISOString())}”, not the reason.`}
          />
        </div>
      </div>
      <div className="shrink-0 border-t border-line bg-surface px-6 py-3 short:py-1 max-md:px-3 max-md:pb-[calc(12px+env(safe-area-inset-bottom))]">
        <FormError>{error}</FormError>
        {preview?.after && changed.length > 0 ? (
          <p className="figures flex justify-between gap-3 text-12 text-text-2 min-[960px]:hidden">
            Available
            <span>
              {`${formatMoney(preview.before.available_balance)} to `}
              <strong className="font-semibold text-text">
                {formatMoney(preview.after.available_balance)}
              </strong>{' '}
              USDT
            </span>
          </p>
        ) : null}
        <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2">
          <p className="flex items-center gap-2 text-13 text-text-2">
            <span
              aria-hidden="true"
              className={`size-2 rounded-[2px] ${changed.length > 0 ? 'bg-accent' : 'bg-line-strong'}`}
            />
            <span role="status">
              {isLeaving
                ? 'Leave without saving?'
                : changed.length === 1
                  ? '1 field changed'
                  : changed.length === 0
                    ? 'Nothing changed'
                    : `${changed.length} fields changed`}
            </span>
            {changed.length > 0 && !isLeaving ? (
              <Button tone="quiet" size="compact" onClick={edit.reset} className="text-accent">
                Reset
              </Button>
            ) : null}
          </p>
          <div className="ml-auto flex flex-wrap justify-end gap-2 max-md:w-full max-md:*:grow">
            {isLeaving ? (
              <>
                <Button onClick={onClose} muted={pending}>
                  Discard
                </Button>
                <Button tone="primary" onClick={onStay} autoFocus>
                  Keep editing
                </Button>
              </>
            ) : (
              <>
                <Button onClick={onClose} muted={pending}>
                  Cancel
                  <kbd className="rounded border border-line-strong px-1 text-11 text-text-3 max-lg:hidden">
                    Esc
                  </kbd>
                </Button>
                <Button type="submit" tone="primary" pending={pending} muted={isMuted}>
                  {saveLabel(change)}
                </Button>
              </>
            )}
          </div>
        </div>
      </div>
    </form>
  );
}
