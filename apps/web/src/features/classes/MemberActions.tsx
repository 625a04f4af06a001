/**
 * Bulk actions on selected members of a class: on their accounts of it, or on the users. Of a manager those on the accounts of the members
 * who are assigned to them.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSignedIn } from '../../shared/session/index.ts';
import { useSupabase } from '../../shared/supabase/index.ts';
import type { RowSelection } from '../../shared/table/index.ts';
import { SelectionBar, useBulkDialog, useSelection } from '../staff/index.ts';
import { type Class, classesKey, type Member, membersQuery } from './queries.ts';

interface MemberActions {
  /** Undefined where no member can be selected. */
  readonly selection: RowSelection<Member> | undefined;
  readonly bar: ReactNode;
  readonly dialog: ReactNode;
}

export function useMemberActions(shown: Class): MemberActions {
  const area = useSignedIn().user.role === 'manager' ? 'manager' : 'users';
  const { data } = useQuery(membersQuery(useSupabase(), shown.id));
  const selectable = data?.filter(({ isFunded }) => isFunded).map(({ id }) => id) ?? [];
  const cache = useQueryClient();
  const selection = useSelection(shown.id);
  // A selected member may have left the class, or be another manager's by now.
  const ids = selectable.filter((id) => selection.selected.has(id));
  const { dialog, openBulk } = useBulkDialog({
    selection,
    inClass: shown,
    onChanged: () => void cache.invalidateQueries({ queryKey: classesKey }),
    fallbackFocus: () => document.querySelector<HTMLElement>('main'),
  });
  return {
    selection:
      data !== undefined && selectable.length === 0
        ? undefined
        : {
            mark: selection.mark,
            selected: new Set(ids),
            label: ({ username }) => `Select ${username}`,
            canSelect: ({ isFunded }) => isFunded,
          },
    bar:
      ids.length === 0 ? null : (
        <div className="border-t border-line bg-accent/7 px-4 py-1.5 max-md:px-3">
          <SelectionBar
            count={ids.length}
            total={selectable.length}
            isSelecting={false}
            onSelectAll={() => selection.replace(selectable)}
            onClear={selection.clear}
            onBulk={(kind) => openBulk({ kind, ids })}
            inClass
            area={area}
          />
        </div>
      ),
    dialog,
  };
}
