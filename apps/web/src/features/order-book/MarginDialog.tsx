/** Adds margin to a net position, or takes out what it does not need (A113). */
import { parseDecimal, toDecimalString } from '@fulcrum/domain';
import { useState } from 'react';
import { parseAmount } from '../../shared/decimals/amount.ts';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { failedWith, useRepeatableClientId, useSubmission } from '../../shared/form/index.ts';
import { formatAmount } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { type Position, unwrap } from '../../shared/supabase/index.ts';
import { Segmented, showToast, TextField } from '../../shared/ui/index.ts';

interface MarginDialogProps {
  readonly position: Position;
  readonly onClose: () => void;
}

type Direction = 'add' | 'remove';
const directions = [
  { value: 'add', label: 'Add' },
  { value: 'remove', label: 'Take out' },
] as const satisfies readonly { value: Direction; label: string }[];

function toAmount(text: string): string | null {
  const parsed = parseAmount(text);
  return parsed.kind === 'amount' && parsed.size > 0n ? toDecimalString(parsed.size) : null;
}

export function MarginDialog({ position, onClose }: MarginDialogProps) {
  const { supabase } = useSignedIn();
  const [direction, setDirection] = useState<Direction>('add');
  const clientIdOf = useRepeatableClientId();
  const submission = useSubmission({
    names: ['amount'],
    check: ({ amount }) => ({ amount: toAmount(amount) === null ? 'Type an amount, such as 100.' : null }),
    send: async ({ amount }) => {
      const typed = parseDecimal(toAmount(amount) ?? '0');
      const terms = {
        p_position_id: position.id,
        p_amount: toDecimalString(direction === 'add' ? typed : -typed),
      };
      await unwrap(
        supabase.rest.rpc('adjust_margin', { ...terms, p_client_id: clientIdOf(JSON.stringify(terms)) }),
      );
      return () => {
        showToast('success', direction === 'add' ? 'Margin added' : 'Margin taken out');
        onClose();
      };
    },
    failed: failedWith('Failed to adjust the margin'),
  });
  return (
    <FormDialog
      title={`Margin of ${position.symbol}`}
      description={`It has ${formatAmount(position.margin)} USDT. More of it moves the liquidation price away; what its leverage does not need can be taken out.`}
      submission={submission}
      submit={direction === 'add' ? 'Add margin' : 'Take margin out'}
      onClose={onClose}
    >
      <Segmented<Direction>
        label="Direction"
        options={directions}
        value={direction}
        onChange={setDirection}
      />
      <TextField {...submission.fieldOf('amount')} label="Amount in USDT" inputMode="decimal" />
    </FormDialog>
  );
}
