/** Makes an invitation, and shows its code and QR code. */
import { invitationUsesMax, toDecimalString } from '@fulcrum/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyButton } from '../../shared/copy/CopyButton.tsx';
import { parseAmount } from '../../shared/decimals/amount.ts';
import { isWholeTo } from '../../shared/decimals/whole.ts';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { failedWith, useRepeatableClientId, useSubmission } from '../../shared/form/index.ts';
import { namedOptions, SelectField } from '../../shared/form/SelectField.tsx';
import { QrCode } from '../../shared/qr/QrCode.tsx';
import { unwrap, useSupabase } from '../../shared/supabase/index.ts';
import { formatDatedClock } from '../../shared/time/dates.ts';
import { Button, Dialog, TextField } from '../../shared/ui/index.ts';
import { classesQuery, hasEnded } from '../classes/index.ts';
import { type Invitation, invitationLink, invitationsKey } from './queries.ts';

const daysMax = 366;

/** Null for an empty text, undefined for one that is no amount. */
function toBalance(text: string): string | null | undefined {
  if (text.trim() === '') return null;
  const parsed = parseAmount(text);
  return parsed.kind === 'amount' ? toDecimalString(parsed.size) : undefined;
}

interface NewInvitationProps {
  readonly onCreated: (invitation: Invitation) => void;
  readonly onClose: () => void;
}

export function NewInvitationDialog({ onCreated, onClose }: NewInvitationProps) {
  const { rest } = useSupabase();
  const cache = useQueryClient();
  const [classId, setClassId] = useState('');
  const { data = [] } = useQuery(classesQuery(useSupabase()));
  const classes = data.filter((one) => !hasEnded(one, Date.now()));
  const clientIdOf = useRepeatableClientId();
  const submission = useSubmission({
    names: ['note', 'uses', 'days', 'balance'],
    check: ({ uses, days, balance }) => ({
      uses: isWholeTo(uses, invitationUsesMax) ? null : `Type a whole number from 1 to ${invitationUsesMax}.`,
      days: isWholeTo(days, daysMax) ? null : `Type a whole number from 1 to ${daysMax}.`,
      balance: toBalance(balance) === undefined ? 'Type an amount, such as 10000, or leave it empty.' : null,
    }),
    send: async ({ note, uses, days, balance }) => {
      const terms = {
        p_note: note.trim(),
        p_uses_max: Number(uses),
        p_days: Number(days),
        p_start_balance: toBalance(balance) ?? null,
        p_class_id: classId === '' ? null : classId,
      };
      const created = await unwrap(
        rest.rpc('create_invitation', { ...terms, p_client_id: clientIdOf(JSON.stringify(terms)) }),
      );
      return () => {
        void cache.invalidateQueries({ queryKey: invitationsKey });
        onCreated(created);
      };
    },
    failed: failedWith('Failed to create the invitation'),
  });
  const { fieldOf } = submission;
  return (
    <FormDialog
      title="New invitation"
      description="Who has its code can register as a trader, until it expires or is used up."
      submission={submission}
      submit="Create invitation"
      size="wide"
      onClose={onClose}
    >
      <div className="grid items-start gap-4 md:grid-cols-2">
        <TextField {...fieldOf('uses')} label="Registrations" inputMode="numeric" defaultValue="30" />
        <TextField {...fieldOf('days')} label="Valid for days" inputMode="numeric" defaultValue="14" />
        <TextField
          {...fieldOf('balance')}
          label="Start balance, USDT"
          inputMode="decimal"
          hint="Empty is what everybody gets who registers."
        />
        <TextField
          {...fieldOf('note')}
          label="Note"
          maxLength={200}
          hint="For this list. Who registers does not see it."
        />
        {classes.length === 0 ? null : (
          <SelectField
            label="Class"
            name="class"
            value={classId}
            options={namedOptions('No class', classes)}
            onChange={setClassId}
          />
        )}
      </div>
    </FormDialog>
  );
}

interface InvitationDialogProps {
  readonly invitation: Invitation;
  readonly onClose: () => void;
}

/** Large enough to be read from the last row of a room. */
export function ShowInvitationDialog({ invitation, onClose }: InvitationDialogProps) {
  const { code, expires_at, uses, uses_max } = invitation;
  const link = invitationLink(code);
  const left = uses_max - uses;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title="Invitation"
      description={`${left === 1 ? '1 registration' : `${left} registrations`} left, until ${formatDatedClock(expires_at)}.`}
      actions={
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col items-center gap-4">
        <QrCode text={link} label={`QR code of ${link}`} className="w-full max-w-72 rounded-control" />
        <p className="figures text-28 font-semibold tracking-[0.06em] max-[359px]:text-20">{code}</p>
        <p className="flex w-full items-center gap-2 rounded-control border border-line px-3 py-1 text-12">
          <span className="min-w-0 grow text-text-2 wrap-anywhere">{link}</span>
          <CopyButton label="Link" text={link} />
        </p>
      </div>
    </Dialog>
  );
}

export type InvitationState = 'open' | 'used' | 'expired' | 'revoked';

export function invitationState(
  { revoked_at, expires_at, uses, uses_max }: Invitation,
  now: number,
): InvitationState {
  if (revoked_at !== null) return 'revoked';
  if (uses >= uses_max) return 'used';
  return Date.parse(expires_at) <= now ? 'expired' : 'open';
}
