/** The reason of an action, stored in the audit log permanently. */
import { texts } from '@fulcrum/contract/texts';
import type { RefObject } from 'react';
import { TextField } from '../../../shared/ui/index.ts';

const reasonMax = 500;

export const validateReason = (reason: string): string | null =>
  reason.trim() === '' ? texts.reasonRequired : null;

interface ReasonFieldProps {
  readonly hint: string;
  readonly error: string | undefined;
  readonly field?: RefObject<HTMLInputElement | null>;
}

export function ReasonField({ hint, error, field }: ReasonFieldProps) {
  return (
    <TextField
      {...(field && { ref: field })}
      label="Reason"
      name="reason"
      autoComplete="off"
      maxLength={reasonMax}
      hint={hint}
      error={error}
    />
  );
}
