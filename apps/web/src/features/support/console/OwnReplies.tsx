/** Manages the canned replies of the agent and of the team: add, change and delete. */
import { texts } from '@fulcrum/contract/texts';
import { cannedReplyLimits } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import { type FormEvent, useRef, useState } from 'react';
import { failedWith, useRequest } from '../../../shared/form/index.ts';
import { newUuid } from '../../../shared/ids/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import {
  Button,
  Dialog,
  Field,
  FormError,
  IconButton,
  Segmented,
  TextField,
} from '../../../shared/ui/index.ts';
import {
  type OwnReply,
  ownRepliesKey,
  type ReplyScope,
  type ReplyText,
  replyStore,
  teamRepliesKey,
  useOwnReplies,
  useTeamReplies,
  validateReply,
} from './own-replies.ts';

const scopes = [
  { value: 'own', label: 'Mine' },
  { value: 'team', label: 'Team' },
] as const satisfies readonly { value: ReplyScope; label: string }[];

const noneTexts: Readonly<Record<ReplyScope, string>> = {
  own: 'You have no replies of your own yet. Add the first one here.',
  team: 'The team has no replies yet. Everybody of support sees what you add here.',
};

/** The `id` of a new reply is created with the form, so a repeat inserts the same row. */
interface Edited {
  readonly id: string;
  /** As the list showed it; null for a new one. */
  readonly former: ReplyText | null;
  readonly shortcut: string;
  readonly content: string;
}
const blank = (): Edited => ({ id: newUuid(), former: null, shortcut: '', content: '' });

function useReplyChanges(scope: ReplyScope) {
  const { supabase, user } = useSignedIn();
  const cache = useQueryClient();
  const { run, pending, error } = useRequest();
  const reload = () =>
    cache.invalidateQueries({ queryKey: scope === 'own' ? ownRepliesKey(user.id) : teamRepliesKey });
  const change = (action: () => Promise<unknown>) =>
    run(
      async () => {
        await action();
        await reload();
      },
      (cause) => {
        // The list may be of before another agent's change.
        void reload();
        const reason = failedWith('The reply was not saved. Please try again.')(cause);
        return reason === texts.changedMeanwhile ? `${reason} Cancel, then edit the reply again.` : reason;
      },
    );
  return { store: replyStore(supabase, scope), change, pending, error };
}

interface ReplyListProps {
  readonly scope: ReplyScope;
  readonly replies: readonly Pick<OwnReply, 'id' | 'shortcut' | 'content'>[];
}

function ReplyList({ scope, replies }: ReplyListProps) {
  const { store, change, pending, error } = useReplyChanges(scope);
  const [edited, setEdited] = useState(blank);
  const [isChecked, setChecked] = useState(false);
  const first = useRef<HTMLDivElement>(null);
  const { id, former, shortcut, content } = edited;
  const reply = { shortcut: shortcut.trim(), content: content.trim() };
  const usedShortcuts = new Set(replies.filter((one) => one.id !== id).map((one) => one.shortcut));
  const faults = validateReply(reply, usedShortcuts);
  const shown = isChecked ? faults : {};

  const begin = (next: Edited) => {
    setEdited(next);
    setChecked(false);
    first.current?.querySelector('input')?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (faults.shortcut || faults.content) return;
    if (await change(() => store.save(id, reply, former))) begin(blank());
  };
  const remove = async (one: Pick<OwnReply, 'id'>) => {
    if (await change(() => store.remove(one.id))) begin(blank());
  };
  return (
    <>
      <ul className="mb-4 divide-y divide-line">
        {replies.map((one) => (
          <li key={one.id} className="flex min-h-10 items-center gap-2 text-13">
            <code className="shrink-0 font-sans text-12 font-medium text-accent">{`/${one.shortcut}`}</code>
            <span className="min-w-0 grow truncate text-text-2">{one.content}</span>
            <IconButton
              label={`Edit /${one.shortcut}`}
              onClick={() => begin({ id: one.id, former: one, shortcut: one.shortcut, content: one.content })}
            >
              <Pencil size={14} aria-hidden="true" />
            </IconButton>
            <IconButton label={`Delete /${one.shortcut}`} onClick={() => remove(one)}>
              <Trash2 size={14} aria-hidden="true" />
            </IconButton>
          </li>
        ))}
        {replies.length === 0 ? <li className="py-2 text-13 text-text-2">{noneTexts[scope]}</li> : null}
      </ul>
      <form noValidate onSubmit={submit} className="flex flex-col gap-3">
        <div ref={first}>
          <TextField
            label="Shortcut"
            hint="Typed after / in an empty reply"
            value={shortcut}
            maxLength={cannedReplyLimits.shortcut}
            autoComplete="off"
            error={shown.shortcut}
            onChange={({ target }) => setEdited({ ...edited, shortcut: target.value.toLowerCase() })}
          />
        </div>
        <Field label="Reply" error={shown.content} hint="{username} and {agent} are filled in">
          {(fieldProps) => (
            <textarea
              {...fieldProps}
              rows={4}
              value={content}
              maxLength={cannedReplyLimits.content}
              onChange={({ target }) => setEdited({ ...edited, content: target.value })}
              className="control w-full resize-y px-3.5 py-2.5 text-14 max-md:text-16"
            />
          )}
        </Field>
        <FormError>{error}</FormError>
        <div className="flex justify-end gap-2">
          {former === null ? null : <Button onClick={() => begin(blank())}>Cancel</Button>}
          <Button type="submit" tone="primary" pending={pending}>
            {former === null ? 'Add reply' : 'Save reply'}
          </Button>
        </div>
      </form>
    </>
  );
}

function Content() {
  const [scope, setScope] = useState<ReplyScope>('own');
  const { data: own = [] } = useOwnReplies();
  const { data: team = [] } = useTeamReplies();
  return (
    <>
      <div className="mb-3">
        <Segmented<ReplyScope> label="Whose replies" options={scopes} value={scope} onChange={setScope} />
      </div>
      <ReplyList key={scope} scope={scope} replies={scope === 'own' ? own : team} />
    </>
  );
}

interface OwnRepliesProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

export function OwnReplies({ open, onOpenChange }: OwnRepliesProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Replies" outside="stays">
      <Content />
    </Dialog>
  );
}
