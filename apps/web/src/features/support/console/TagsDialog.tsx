/** The team's tags: a new one goes to the list and onto the session, a deleted one leaves the list and every session. */
import { chatLimits, isChatTag } from '@fulcrum/domain';
import X from 'lucide-react/icons/x';
import { useRef } from 'react';
import { FormDialog } from '../../../shared/form/FormDialog.tsx';
import { failedWith, useRequest, useSubmission } from '../../../shared/form/index.ts';
import { FormError, IconButton, TextField } from '../../../shared/ui/index.ts';
import { useTriageCommands } from './triage.ts';

const tagMax = 24;

interface TagsDialogProps {
  readonly sessionId: string;
  readonly tags: readonly string[];
  readonly onClose: () => void;
}

export function TagsDialog({ sessionId, tags, onClose }: TagsDialogProps) {
  const commands = useTriageCommands();
  const { run, pending, error } = useRequest();
  const field = useRef<HTMLInputElement>(null);
  const submission = useSubmission({
    names: ['tag'],
    check: ({ tag }) => ({
      tag: isChatTag(tag.trim())
        ? null
        : 'Use 1-24 lowercase letters, digits or hyphens. It can’t start with a hyphen.',
    }),
    send: async ({ tag }) => {
      await commands.tag(sessionId, tag.trim(), true);
      return onClose;
    },
  });
  const remove = (tag: string) =>
    run(async () => {
      await commands.deleteTag(tag);
      field.current?.focus();
      return null;
    }, failedWith('The tag was not deleted. Please try again.'));
  return (
    <FormDialog
      title="Tags of the team"
      description={`A new tag is put on this session. The team has at most ${chatLimits.tags}.`}
      submission={submission}
      submit="Add tag"
      onClose={onClose}
    >
      <TextField ref={field} {...submission.fieldOf('tag')} label="New tag" maxLength={tagMax} />
      {tags.length === 0 ? null : (
        <ul aria-label="Tags" className="flex max-h-64 flex-col overflow-y-auto">
          {tags.map((tag) => (
            <li
              key={tag}
              className="flex min-h-9 items-center border-b border-line/65 text-13 last:border-b-0"
            >
              {tag}
              <IconButton
                label={`Delete the tag ${tag} from every session`}
                className="ml-auto !size-7 max-md:!size-11"
                onClick={() => void remove(tag)}
                aria-disabled={pending || undefined}
              >
                <X size={14} aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <FormError>{error}</FormError>
    </FormDialog>
  );
}
