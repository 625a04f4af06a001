/** Adds traders to a class: finds them by name or email, several one after the other. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRequest } from '../../shared/form/index.ts';
import { log } from '../../shared/log/log.ts';
import { getErrorMessage, unwrap, useSupabase } from '../../shared/supabase/index.ts';
import { SearchField } from '../../shared/table/SearchField.tsx';
import { Button, Dialog, showToast } from '../../shared/ui/index.ts';
import { type Class, classesKey, membersQuery } from './queries.ts';

const foundMax = 8;

/** Adds or removes one trader; a refusal of the row is shown. */
export function useMembership(classId: string) {
  const { rest } = useSupabase();
  const cache = useQueryClient();
  const { run, pending, error } = useRequest<string>();
  const change = (procedure: 'add_class_members' | 'remove_class_members', userId: string, done: string) =>
    run(
      async () => {
        const { rows } = await unwrap(rest.rpc(procedure, { p_class_id: classId, p_user_ids: [userId] }));
        const refused = rows.find(({ outcome }) => outcome === 'refused');
        if (!refused) showToast('success', done);
        await cache.invalidateQueries({ queryKey: classesKey });
        return refused?.message ?? null;
      },
      (cause) => {
        log.warn('Changing the members failed', cause);
        return getErrorMessage(cause, 'Failed to change the members');
      },
    );
  return { change, pending, error } as const;
}

export function AddMembersDialog({
  shown,
  onClose,
}: {
  readonly shown: Class;
  readonly onClose: () => void;
}) {
  const supabase = useSupabase();
  const [search, setSearch] = useState('');
  const { change, pending, error } = useMembership(shown.id);
  const { data: members } = useQuery(membersQuery(supabase, shown.id));
  const { data: found } = useQuery({
    queryKey: ['staff', 'class-candidates', search],
    queryFn: async ({ signal }) => {
      const request = supabase.rest.rpc('list_users', {
        p_search: search === '' ? null : search,
        p_roles: ['trader'],
        p_page_size: foundMax,
      });
      return (await unwrap(request.abortSignal(signal))).users;
    },
  });
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
        onSearch={setSearch}
        hotKey={null}
        className="w-full"
      />
      <ul aria-label="Traders" className="mt-3 rounded-control border border-line empty:hidden">
        {found?.map(({ id, username, email }) => (
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
                onClick={() => void change('add_class_members', id, `${username} was added`)}
              >
                Add
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
