/** Dialog for one admin operation: its effect, its fields and a reason for the audit log. Sends the operation once. */
import type { RefObject } from 'react';
import { FormDialog } from '../../../../shared/form/FormDialog.tsx';
import { failedWith, useSubmission } from '../../../../shared/form/index.ts';
import { type ButtonTone, showToast, TextField } from '../../../../shared/ui/index.ts';
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
  const submission = useSubmission({
    names: [...fields.map(({ name }) => name), 'reason'],
    check: (values) => ({
      ...Object.fromEntries(fields.map(({ name, validate }) => [name, validate(values[name] ?? '')])),
      reason: validateReason(values.reason ?? ''),
    }),
    send: async (values) => {
      await send(values);
      return () => {
        showToast('success', successText);
        onAnswered();
        onClose();
      };
    },
    failed: (cause) => {
      onAnswered();
      return failedWith(failureText)(cause);
    },
  });
  return (
    <FormDialog
      title={title}
      label={title}
      description={description}
      submission={submission}
      submit={submit}
      tone={tone}
      fallbackFocus={() => fallbackFocus.current}
      onClose={onClose}
    >
      {fields.map(({ name, label, hint, initial, inputMode }) => (
        <TextField
          key={name}
          {...submission.fieldOf(name)}
          label={label}
          hint={hint}
          defaultValue={initial}
          inputMode={inputMode}
        />
      ))}
      <ReasonField hint="For the audit log." error={submission.errorOf('reason')} />
    </FormDialog>
  );
}
