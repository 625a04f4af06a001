/** One act of an admin on the platform: what it does in words, its fields, a reason for the audit log; sent once. */
import { type RefObject, useId, useRef } from 'react';
import { log } from '../../../../shared/log/log.ts';
import { messageOf } from '../../../../shared/supabase/index.ts';
import {
  announce,
  Button,
  type ButtonTone,
  Dialog,
  FormError,
  TextField,
} from '../../../../shared/ui/index.ts';
import { useSubmission } from '../../../accounts/index.ts';
import { checkReason, ReasonField } from '../../people/ReasonField.tsx';

interface ActField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly initial?: string;
  readonly inputMode?: 'decimal' | 'text';
  /** An objection, or null. */
  readonly check: (value: string) => string | null;
}

export interface Act {
  readonly title: string;
  readonly description: string;
  readonly submit: string;
  readonly tone: ButtonTone;
  readonly fields?: readonly ActField[];
  /** What is said when the server gives no reason. */
  readonly failed: string;
  readonly done: string;
  readonly send: (fields: Readonly<Record<string, string>>) => Promise<unknown>;
}

interface ActDialogProps {
  readonly act: Act;
  /** Called after the server has answered, whichever way. */
  readonly onAnswered: () => void;
  readonly onClose: () => void;
  /** Where the focus goes when what opened the dialog is gone. */
  readonly panel: RefObject<HTMLElement | null>;
}

const noFields: readonly ActField[] = [];

export function ActDialog({ act, onAnswered, onClose, panel }: ActDialogProps) {
  const { title, description, submit, tone, fields = noFields, failed, done, send } = act;
  const first = useRef<HTMLInputElement>(null);
  const formId = useId();
  const { form, pending, failure, errorOf } = useSubmission({
    names: [...fields.map(({ name }) => name), 'reason'],
    check: (values) => ({
      ...Object.fromEntries(fields.map(({ name, check }) => [name, check(values[name] ?? '')])),
      reason: checkReason(values.reason ?? ''),
    }),
    send: async (values) => {
      try {
        await send(values);
      } catch (cause) {
        log.warn(failed, cause);
        onAnswered();
        return messageOf(cause, failed);
      }
      announce('success', done);
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
      fallbackFocus={() => panel.current}
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
