/** `/admin/enrolment`: who may register, invitations, and the import of users. */
import { useQuery } from '@tanstack/react-query';
import { loadServerConfig } from '../../shared/supabase/index.ts';
import { BackLink } from '../../shared/ui/BackLink.tsx';
import { ButtonLink } from '../../shared/ui/index.ts';
import { ImportUsers } from './ImportUsers.tsx';
import { Invitations } from './Invitations.tsx';

const modeTexts = {
  open: 'Everybody may register.',
  invited: 'Who registers needs an invitation.',
  closed: 'No one may register: invitations are refused until REGISTRATION is open or invited.',
} as const;

export default function EnrolmentPage() {
  const { data: config } = useQuery({ queryKey: ['server-config'], queryFn: loadServerConfig });
  return (
    <div className="flex grow flex-col gap-4 p-6 max-lg:p-4 max-md:p-3">
      <title>Enrolment · Fulcrum</title>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-20 font-semibold">Enrolment</h1>
        <BackLink to="/admin?tab=users">Users</BackLink>
        <ButtonLink to="/admin/classes" size="compact" tone="quiet">
          Classes
        </ButtonLink>
        <ButtonLink to="/admin/contests" size="compact" tone="quiet">
          Contests
        </ButtonLink>
        {config === undefined ? null : (
          <p className="text-12 text-text-2 max-lg:w-full">
            {modeTexts[config.registration]} The operator sets it with <code>REGISTRATION</code>.
          </p>
        )}
      </div>
      <Invitations />
      <ImportUsers />
    </div>
  );
}
