/**
 * Manage Funds: adds or subtracts an amount and previews the wallet (ADMIN-61 to ADMIN-64). The dialog uses one client id: the
 * server executes a repeat after a lost answer once and refuses another amount under the same id.
 */
import { texts } from '@fulcrum/contract/texts';
import { toDecimalString } from '@fulcrum/domain';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import { DecimalField } from '../../../shared/decimals/DecimalField.tsx';
import { useRequest } from '../../../shared/form/index.ts';
import { newClientId } from '../../../shared/ids/index.ts';
import { log } from '../../../shared/log/log.ts';
import { formatAmount } from '../../../shared/numbers/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { getErrorMessage } from '../../../shared/supabase/index.ts';
import { useDebouncedValue } from '../../../shared/time/useDebouncedValue.ts';
import { Button, Dialog, Segmented, showToast } from '../../../shared/ui/index.ts';
import { titleOf } from '../shown-account.ts';
import type { UserDialogProps } from '../user-dialogs/dialog-props.ts';
import { CategorizedReasonField } from './CategorizedReasonField.tsx';
import { fundsGrid, parseFunds, stepFunds } from './funds-amount.ts';
import { fundsReasons, type Reason, toReasonText } from './reasons.ts';
import { adjustFunds, moneyKeys, previewFunds } from './requests.ts';
import { WalletEffect } from './WalletEffect.tsx';

type Direction = 'add' | 'subtract';
const directions = [
  { value: 'add', label: 'Add', tone: 'up' },
  { value: 'subtract', label: 'Subtract', tone: 'down' },
] as const;

export default function FundsDialog({ user, account, onClose, onDone }: UserDialogProps) {
  const { supabase } = useSignedIn();
  const cache = useQueryClient();
  const [direction, setDirection] = useState<Direction>('add');
  const [text, setText] = useState('');
  const [reason, setReason] = useState<Reason<(typeof fundsReasons)[number]>>({ kind: 'Payment', text: '' });
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const { run, pending, error, isBusy } = useRequest();
  const clientId = useRef<string>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const [formId, errorId] = [useId(), useId()];

  const { amount, error: parseError } = parseFunds(text);
  const signed = amount === null ? null : toDecimalString(direction === 'add' ? amount : -amount);
  const debouncedAmount = useDebouncedValue(signed);
  const wallet = { p_user_id: user.id, p_account_id: account.id };
  const previewed = { ...wallet, p_amount: debouncedAmount ?? '0' };
  const preview = useQuery({
    queryKey: moneyKeys.funds(previewed),
    queryFn: ({ signal }) => previewFunds(supabase, previewed, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  const { data: walletPreview } = preview;
  const isCurrent = debouncedAmount === signed && !preview.isPlaceholderData;
  // No amount yet: the preview shows the wallet unchanged.
  const effect =
    walletPreview &&
    (signed === null ? { before: walletPreview.before, after: walletPreview.before } : walletPreview);
  const refusal = signed !== null && isCurrent ? (walletPreview?.refusal ?? null) : null;

  const reasonText = toReasonText(reason);
  const reasonError = wasSubmitted && reasonText === null ? texts.reasonRequired : null;
  const amountError = parseError ?? (wasSubmitted && amount === null ? 'Enter an amount.' : refusal);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy()) return;
    setWasSubmitted(true);
    if (signed === null) {
      field.current?.focus();
      return;
    }
    if (reasonText === null) {
      document.querySelector<HTMLTextAreaElement>(`#${CSS.escape(formId)} textarea`)?.focus();
      return;
    }
    await run(
      async () => {
        clientId.current ??= newClientId();
        await adjustFunds(supabase, {
          ...wallet,
          p_amount: signed,
          p_reason: reasonText,
          p_client_id: clientId.current,
        });
        showToast(
          'success',
          titleOf(`${formatAmount(Number(signed), 'always')} USDT for ${user.username}`, account),
        );
        onDone();
        onClose();
      },
      (cause) => {
        // Not awaited: without an answer the dialog can be closed or sent again at once.
        void cache.invalidateQueries({ queryKey: moneyKeys.funds(previewed) });
        log.warn(texts.updateFundsFailed, cause);
        const serverText = getErrorMessage(cause, '');
        return serverText === '' ? texts.updateFundsFailed : `${texts.updateFundsFailed} ${serverText}`;
      },
    );
  };

  const verb = direction === 'add' ? 'Add' : 'Subtract';
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || pending || onClose()}
      outside="stays"
      initialFocus={field}
      title="Manage Funds"
      description={
        <span className="wrap-anywhere">
          <bdi className="font-medium text-text">{user.username}</bdi> · {user.email}
          {account.name === null ? null : (
            <>
              {' · Account '}
              <bdi className="font-medium text-text">{account.name}</bdi>
            </>
          )}
        </span>
      }
      failure={error}
      actions={
        <>
          <Button onClick={onClose} muted={pending}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            tone="primary"
            pending={pending}
            muted={amountError !== null}
            {...(amountError !== null && { 'aria-describedby': errorId })}
          >
            {amount === null ? verb : `${verb} ${formatAmount(Number(toDecimalString(amount)))} USDT`}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={send} className="flex flex-col gap-4">
        <Segmented label="What to do" options={directions} value={direction} onChange={setDirection} />
        <DecimalField
          label="Amount"
          field={field}
          text={text}
          grid={fundsGrid}
          onType={setText}
          onStep={(steps) => setText(stepFunds(amount, steps))}
          unit="USDT"
          required
          invalid={amountError !== null}
          describedBy={amountError === null ? undefined : errorId}
        >
          <p id={errorId} role="status" className="min-h-4 text-12 text-down">
            {amountError}
          </p>
        </DecimalField>
        <WalletEffect preview={effect} isCurrent={isCurrent} />
        {preview.isError && walletPreview === undefined ? (
          <p role="status" className="text-12 text-warn">
            The wallet could not be read; the change is checked when you send it.
          </p>
        ) : null}
        <CategorizedReasonField
          kinds={fundsReasons}
          reason={reason}
          onChange={setReason}
          placeholder="What the payment is for"
          error={reasonError}
          hint={`${user.username} is notified of the amount, not of the reason.`}
        />
      </form>
    </Dialog>
  );
}
