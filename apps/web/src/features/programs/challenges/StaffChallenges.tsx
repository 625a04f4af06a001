/** Challenges for staff: all of them, or those of the classes that a manager teaches. The address names the one that is shown (`?challenge=`). */
import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useSignedIn } from '../../../shared/session/index.ts';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { Button } from '../../../shared/ui/index.ts';
import { ChallengeDialog } from './ChallengeDialog.tsx';
import { ChallengeList } from './ChallengeList.tsx';
import { ChallengeView } from './ChallengeView.tsx';
import { challengesQuery } from './queries.ts';

export function StaffChallenges() {
  const [search, setSearch] = useSearchParams();
  const isTutor = useSignedIn().user.role === 'manager';
  const reading = useQuery(challengesQuery(useSupabase()));
  const [opened, setOpened] = useState<'new' | 'edit' | null>(null);
  const named = search.get('challenge');
  const shown = reading.data?.find(({ id }) => id === named);
  return (
    <>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="text-16 font-semibold">Challenges</h2>
        <Button className="ml-auto !h-8 max-md:!h-11" onClick={() => setOpened('new')}>
          <Plus size={15} aria-hidden="true" />
          New challenge
        </Button>
      </div>
      <ChallengeList
        rows={reading.data}
        reading={reading}
        shown={shown}
        named={named}
        onShow={(id) => setSearch({ challenge: id })}
      >
        A challenge has a profit target and loss limits, and is decided by the first one that is touched.
      </ChallengeList>
      {shown === undefined ? null : (
        <ChallengeView
          key={shown.id}
          shown={shown}
          actions={
            // A manager reads challenges for everyone, and changes those of their classes.
            isTutor && shown.class_id === null ? null : (
              <Button size="compact" onClick={() => setOpened('edit')}>
                Change challenge
              </Button>
            )
          }
        />
      )}
      {opened === 'new' || (opened === 'edit' && shown !== undefined) ? (
        <ChallengeDialog
          key={opened}
          edited={opened === 'edit' ? (shown ?? null) : null}
          onClose={() => setOpened(null)}
          onSaved={({ id }) => {
            setSearch({ challenge: id });
            setOpened(null);
          }}
        />
      ) : null}
    </>
  );
}
