/**
 * Manage Funds (ADMIN-61 to ADMIN-64): adds or subtracts, with what the wallet will hold. One client id for the dialog's life:
 * what is sent again after a lost answer is carried out once, and other figures under it are refused, not done as well.
 */
import { texts } from '@fulcrum/contract/texts';
import { asMoney, type Money, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import { readAmount } from '../../../shared/decimals/amount.ts';
import { DecimalField } from '../../../shared/decimals/DecimalField.tsx';
import { newClientId } from '../../../shared/ids/index.ts';
import { log } from '../../../shared/log/log.ts';
import { formatAmount } from '../../../shared/numbers/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { messageOf } from '../../../shared/supabase/index.ts';
import { announce, Button, Dialog, FormError, Segmented } from '../../../shared/ui/index.ts';
import type { Person } from '../people/acts.ts';
import { ReasonField } from './ReasonField.tsx';
import { fundsReasons, type Reason, reasonOf } from './reasons.ts';
import { adjustFunds, moneyKeys, previewFunds } from './requests.ts';
import { useSettled } from './useSettled.ts';
import { WalletEffect } from './WalletEffect.tsx';

export interface FundsDialogProps {
  readonly person: Person;
  readonly onClose: () => void;
  readonly onDone?: (() => void) | undefined;
}

type Direction = 'add' | 'subtract';
const directions = [
  { value: 'add', label: 'Add', tone: 'up' },
  { value: 'subtract', label: 'Subtract', tone: 'down' },
] as const;

/** A step of the arrow keys, and the most that the server takes. */
const grid = { min: 0n, max: parseDecimal(1_000_000_000), step: parseDecimal('0.01') };

interface TypedFunds {
  /** Above zero; null until there is one. */
  readonly amount: Money | null;
  readonly fault: string | null;
}
const positive = 'Amount must be a positive number with at most 8 decimals.';
function readFunds(text: string): TypedFunds {
  const typed = readAmount(text);
  if (typed.kind === 'empty') return { amount: null, fault: null };
  if (typed.kind === 'unreadable') {
    const fault =
      typed.reason === 'ambiguous' ? 'This can be read in two ways. Please leave out the comma.' : positive;
    return { amount: null, fault };
  }
  if (typed.size === 0n) return { amount: null, fault: positive };
  return { amount: asMoney(typed.size), fault: null };
}

export default function FundsDialog({ person, onClose, onDone }: FundsDialogProps) {
  const { supabase } = useSignedIn();
  const cache = useQueryClient();
  const [direction, setDirection] = useState<Direction>('add');
  const [text, setText] = useState('');
  const [reason, setReason] = useState<Reason<(typeof fundsReasons)[number]>>({ kind: 'Payment', text: '' });
  const [wasSent, setWasSent] = useState(false);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isUnderWay = useRef<boolean>(false);
  const clientId = useRef<string>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const [formId, faultId] = [useId(), useId()];

  const { amount, fault } = readFunds(text);
  const signed = amount === null ? null : toDecimalString(direction === 'add' ? amount : -amount);
  const asked = useSettled(signed);
  const preview = useQuery({
    queryKey: moneyKeys.funds(person.id, asked ?? '0'),
    queryFn: ({ signal }) => previewFunds(supabase, person.id, asked ?? '0', signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  const { data: known } = preview;
  const isCurrent = asked === signed && !preview.isPlaceholderData;
  // Nothing is asked yet: the wallet stays as it is.
  const effect = known && (signed === null ? { before: known.before, after: known.before } : known);
  const refused = signed !== null && isCurrent ? (known?.refusal ?? null) : null;

  const given = reasonOf(reason);
  const reasonFault = wasSent && given === null ? texts.reasonRequired : null;
  const amountFault = fault ?? (wasSent && amount === null ? 'Please enter an amount.' : refused);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isUnderWay.current) return;
    setWasSent(true);
    if (signed === null) {
      field.current?.focus();
      return;
    }
    if (given === null) {
      document.querySelector<HTMLTextAreaElement>(`#${CSS.escape(formId)} textarea`)?.focus();
      return;
    }
    isUnderWay.current = true;
    setPending(true);
    setError(null);
    clientId.current ??= newClientId();
    try {
      await adjustFunds(supabase, {
        p_user_id: person.id,
        p_amount: signed,
        p_reason: given,
        p_client_id: clientId.current,
      });
      announce('success', `${formatAmount(Number(signed), 'always')} USDT for ${person.username}`);
      onDone?.();
      onClose();
    } catch (cause) {
      log.warn(texts.updateFundsFailed, cause);
      const why = messageOf(cause, '');
      setError(why === '' ? texts.updateFundsFailed : `${texts.updateFundsFailed} ${why}`);
      // Not waited for: where nobody answers, the way back and the next try are free at once.
      cache
        .invalidateQueries({ queryKey: moneyKeys.funds(person.id, asked ?? '0') })
        .catch((later: unknown) => log.warn('Reading the wallet again broke', later));
    } finally {
      isUnderWay.current = false;
      setPending(false);
    }
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
          <bdi className="font-medium text-text">{person.username}</bdi> · {person.email}
        </span>
      }
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
            muted={amountFault !== null}
            {...(amountFault !== null && { 'aria-describedby': faultId })}
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
          grid={grid}
          onType={setText}
          onStep={(steps) => {
            const next = (amount ?? 0n) + steps * grid.step;
            setText(next <= 0n ? '0' : toDecimalString(next > grid.max ? grid.max : next));
          }}
          unit="USDT"
          required
          invalid={amountFault !== null}
          describedBy={amountFault === null ? undefined : faultId}
        >
          <p id={faultId} role="status" className="min-h-4 text-12 text-down">
            {amountFault}
          </p>
        </DecimalField>
        <WalletEffect preview={effect} isCurrent={isCurrent} />
        {preview.isError && known === undefined ? (
          <p role="status" className="text-12 text-warn">
            The wallet could not be read; the change is checked when you send it.
          </p>
        ) : null}
        <ReasonField
          kinds={fundsReasons}
          reason={reason}
          onChange={setReason}
          placeholder="What it is for"
          error={reasonFault}
          hint={`${person.username} is told the amount, not the reason.`}
        />
        <FormError>{error}</FormError>
      </form>
    </Dialog>
  );
}
