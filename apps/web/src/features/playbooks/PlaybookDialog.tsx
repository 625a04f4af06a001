/** Makes a playbook or changes one. */
import { parsePlaybook, playbookLimits } from '@fulcrum/domain';
import { useState } from 'react';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { failedWith } from '../../shared/form/index.ts';
import { useSubmission } from '../../shared/form/useSubmission.ts';
import { newUuid } from '../../shared/ids/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import type { Playbook } from '../../shared/supabase/index.ts';
import { Field, TextField } from '../../shared/ui/index.ts';
import { savePlaybook, useRefetchPlaybooks } from './playbooks.ts';

interface PlaybookDialogProps {
  /** Null makes one. */
  readonly playbook: Playbook | null;
  readonly onClose: () => void;
}

export function PlaybookDialog({ playbook, onClose }: PlaybookDialogProps) {
  const { supabase } = useSignedIn();
  const refetch = useRefetchPlaybooks();
  const [id] = useState(() => playbook?.id ?? newUuid());
  const submission = useSubmission({
    names: ['name', 'criteria'],
    check: (typed) => parsePlaybook(typed).faults,
    send: async (typed) => {
      const { name, criteria } = parsePlaybook(typed);
      await savePlaybook(supabase, { id, name, criteria });
      return () => {
        refetch();
        onClose();
      };
    },
    failed: failedWith('The playbook was not saved. Try again.'),
  });
  return (
    <FormDialog
      title={playbook === null ? 'New playbook' : 'Edit playbook'}
      description="A setup that you trade, and what has to be true for it."
      submission={submission}
      submit={playbook === null ? 'Create playbook' : 'Save playbook'}
      onClose={onClose}
    >
      <TextField
        {...submission.fieldOf('name')}
        label="Name"
        placeholder="Retest of a breakout"
        maxLength={playbookLimits.nameChars}
        defaultValue={playbook?.name ?? ''}
      />
      <Field
        label="Criteria"
        hint={`One on each line, at most ${playbookLimits.criteria}. A reworded criterion is a new one: its earlier answers count no more.`}
        error={submission.errorOf('criteria')}
      >
        {(tied) => (
          <textarea
            {...tied}
            name="criteria"
            rows={6}
            defaultValue={playbook?.criteria.join('\n') ?? ''}
            className="control w-full resize-y px-3.5 py-2.5 text-14 max-md:text-16 pointer-coarse:text-16"
          />
        )}
      </Field>
    </FormDialog>
  );
}
