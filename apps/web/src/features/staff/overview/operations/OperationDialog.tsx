/** Dialog for one admin operation: its effect, its fields and a reason for the audit log. Sends the operation once. */
import { type RefObject, useId, useRef } from 'react';
import { log } from '../../../../shared/log/log.ts';
import { getErrorMessage } from '../../../../shared/supabase/index.ts';
import {
  Button,
  type ButtonTone,
  Dialog,
  FormError,
  showToast,
  TextField,
} from '../../../../shared/ui/index.ts';
import { useSubmission } from '../../../identity/index.ts';
import { ReasonField, validateReason } from '../../user-dialogs/ReasonField.tsx';

interface OperationField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly initial?: string;
  readonly inputMode?: 'decimal' | 'text';
  /** The error text, or null when the value is valid. */
  readonly validate: (value: string) => string | null;
}

export interface Operation {
  readonly title: string;
  readonly description: string;
  readonly submit: string;
  readonly tone: ButtonTone;
  readonly fields?: readonly OperationField[];
  /** The error text when the server gives no reason. */
  readonly failureText: string;
  readonly successText: string;
  readonly send: (fields: Readonly<Record<string, string>>) => Promise<unknown>;
}

interface OperationDialogProps {
  readonly operation: Operation;
  /** Called after the server has answered, on success and on failure. */
  readonly onAnswered: () => void;
  readonly onClose: () => void;
  /** Receives the focus when the control that opened the dialog is gone. */
  readonly fallbackFocus: RefObject<HTMLElement | null>;
}

const noFields: readonly OperationField[] = [];

export function OperationDialog({ operation, onAnswered, onClose, fallbackFocus }: OperationDialogProps) {
  const { title, description, submit, tone, fields = noFields, failureText, successText, send } = operation;
  const first = useRef<HTMLInputElement>(null);
  const formId = useId();
  const { form, pending, failure, errorOf } = useSubmission({
    names: [...fields.map(({ name }) => name), 'reason'],
    check: (values) => ({
      ...Object.fromEntries(fields.map(({ name, validate }) => [name, validate(values[name] ?? '')])),
      reason: validateReason(values.reason ?? ''),
    }),
    send: async (values) => {
      try {
        await send(values);
      } catch (cause) {
        log.warn(failureText, cause);
        onAnswered();
        return getErrorMessage(cause, failureText);
      }
      showToast('success', successText);
      onAnswered();
      onClose();
      return null;
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || pending || onClose()}
      outside="stays"
      title={title}
      description={description}
      initialFocus={first}
      fallbackFocus={() => fallbackFocus.current}
      actions={
        <>
          <Button onClick={onClose} muted={pending}>
            Cancel
          </Button>
          <Button type="submit" form={formId} tone={tone} pending={pending}>
            {submit}
          </Button>
        </>
      }
    >
      <form {...form} id={formId} aria-label={title} className="flex flex-col gap-4">
        {fields.map(({ name, label, hint, initial, inputMode }, index) => (
          <TextField
            key={name}
            {...(index === 0 && { ref: first })}
            name={name}
            label={label}
            hint={hint}
            defaultValue={initial}
            inputMode={inputMode}
            autoComplete="off"
            error={errorOf(name)}
          />
        ))}
        <ReasonField
          {...(fields.length === 0 && { field: first })}
          hint="For the audit log."
          error={errorOf('reason')}
        />
        <FormError>{failure}</FormError>
      </form>
    </Dialog>
  );
}
