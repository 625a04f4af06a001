/** Adds traders to a class, found by name or email, and removes one. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { failedWith, useRequest } from '../../shared/form/index.ts';
import { unwrap, useSupabase } from '../../shared/supabase/index.ts';
import { SearchField } from '../../shared/table/SearchField.tsx';
import { Button, Dialog, showToast } from '../../shared/ui/index.ts';
import { type Class, classesKey, type Member, membersQuery } from './queries.ts';

const foundMax = 8;

interface MembershipChange {
  readonly procedure: 'add_class_members' | 'remove_class_members';
  readonly userId: string;
  readonly done: string;
  /** For a change that someone else has made already. */
  readonly unchanged: string;
}

/** Adds or removes one trader; resolves with whether the server did not refuse it. `error` is that of the last change. */
function useMembership(classId: string) {
  const { rest } = useSupabase();
  const cache = useQueryClient();
  const { run, pending, error, setError } = useRequest();
  const change = ({ procedure, userId, done, unchanged }: MembershipChange): Promise<boolean> =>
    run(async () => {
      const { rows } = await unwrap(rest.rpc(procedure, { p_class_id: classId, p_user_ids: [userId] }));
      const [row] = rows;
      if (row?.outcome === 'done') showToast('success', done);
      if (row?.outcome === 'unchanged') showToast('info', unchanged);
      await cache.invalidateQueries({ queryKey: classesKey });
      return row?.outcome === 'refused' ? row.message : null;
    }, failedWith('Failed to change the members'));
  return { change, pending, error, setError } as const;
}

interface MembersDialogProps {
  readonly shown: Class;
  readonly onClose: () => void;
}

export function RemoveMemberDialog({
  shown,
  member: { id, username },
  onClose,
}: MembersDialogProps & { readonly member: Member }) {
  const { change, pending, error } = useMembership(shown.id);
  const remove = async () => {
    const isDone = await change({
      procedure: 'remove_class_members',
      userId: id,
      done: `${username} was removed`,
      unchanged: `${username} was not a member any more`,
    });
    if (isDone) onClose();
  };
  return (
    <ConfirmDialog
      title={`Remove ${username} from ${shown.name}`}
      description="Their account of the class is archived: its history stays readable, and it trades no more."
      keep="Keep"
      onKeep={onClose}
      confirm="Remove"
      onConfirm={remove}
      tone="down"
      pending={pending}
      error={error}
    />
  );
}

/** What a list of found traders does not show by itself; '' when it shows all. */
export function countText(shown: number, total: number): string {
  if (total === 0) return 'No traders match. Try a part of the username or email.';
  return total > shown ? `${shown} of ${total} traders. Type more of the name to find the others.` : '';
}

export function AddMembersDialog({ shown, onClose }: MembersDialogProps) {
  const supabase = useSupabase();
  const [search, setSearch] = useState('');
  const { change, pending, error, setError } = useMembership(shown.id);
  const { data: members } = useQuery(membersQuery(supabase, shown.id));
  const reading = useQuery({
    queryKey: ['staff', 'class-candidates', search],
    queryFn: async ({ signal }) => {
      const request = supabase.rest.rpc('list_users', {
        p_search: search === '' ? null : search,
        p_roles: ['trader'],
        p_page_size: foundMax,
      });
      return unwrap(request.abortSignal(signal));
    },
    placeholderData: keepPreviousData,
  });
  const { users = [], total = 0 } = reading.data ?? {};
  const memberIds = new Set(members?.map(({ id }) => id));
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={`Add members to ${shown.name}`}
      description="Each gets an account of the class. A whole class comes in by an invitation or an import."
      failure={error}
      actions={
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <SearchField
        label="Search traders"
        placeholder="Username or email"
        value={search}
        onSearch={(text) => {
          setError(null);
          setSearch(text);
        }}
        hotKey={null}
        className="w-full"
      />
      <ul aria-label="Traders" className="mt-3 rounded-control border border-line empty:hidden">
        {users.map(({ id, username, email }) => (
          <li
            key={id}
            className="flex min-h-11 items-center gap-3 border-b border-line/65 px-3 py-1 text-13 last:border-b-0"
          >
            <span className="min-w-0 grow truncate">
              <bdi className="font-medium">{username}</bdi> <span className="text-text-3">{email}</span>
            </span>
            {memberIds.has(id) ? (
              <span className="text-12 text-text-2">Member</span>
            ) : (
              <Button
                size="compact"
                muted={pending}
                aria-label={`Add ${username}`}
                onClick={() =>
                  void change({
                    procedure: 'add_class_members',
                    userId: id,
                    done: `${username} was added`,
                    unchanged: `${username} was a member already`,
                  })
                }
              >
                Add
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p role="status" className="mt-2 text-12 text-text-2 empty:hidden">
        {reading.isError
          ? 'Failed to search the traders.'
          : reading.data
            ? countText(users.length, total)
            : ''}
      </p>
    </Dialog>
  );
}
