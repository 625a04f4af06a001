/** The Users tab: all users and Add User (ADMIN-17, ADMIN-18). */
import Plus from 'lucide-react/icons/plus';
import UserPlus from 'lucide-react/icons/user-plus';
import { useNavigate } from 'react-router';
import { Button, ButtonLink } from '../../../shared/ui/index.ts';
import { type UserSummary, useActionFromUrl, useOpenDialog } from '../user-dialogs/index.ts';
import { formatCount } from './labels.ts';
import { SavedViews, useViewCounts } from './SavedViews.tsx';
import { UsersTable } from './UsersTable.tsx';
import { useRefetchUsers } from './useUsers.ts';

const addAction = ['add'] as const;

export function UsersTab() {
  const openDialog = useOpenDialog();
  const refetchUsers = useRefetchUsers();
  const navigate = useNavigate();
  const toPositions = ({ id }: UserSummary) => void navigate(`/admin/users/${id}?section=positions`);
  const counts = useViewCounts();
  const addUser = () => openDialog('add', null, { onDone: refetchUsers });
  useActionFromUrl(addAction, addUser);
  return (
    <div className="flex flex-col gap-3 p-6 max-lg:p-4 max-md:p-3">
      <title>Users · Fulcrum</title>
      <div className="flex items-center gap-4">
        <h1 className="text-20 font-semibold">Users</h1>
        {counts[0] === undefined ? null : (
          <span className="figures -ml-2 rounded-full bg-line px-2 text-12 leading-5 text-text-2">
            {formatCount(counts[0])}
            <span className="sr-only"> users</span>
          </span>
        )}
        <ButtonLink to="/admin/enrolment" className="ml-auto !h-8 max-md:!h-11">
          <UserPlus size={15} aria-hidden="true" />
          <span className="max-[429px]:sr-only">Invite or import</span>
        </ButtonLink>
        <Button tone="primary" className="-ml-2 !h-8 max-md:!h-11" onClick={addUser}>
          <Plus size={15} aria-hidden="true" />
          Add User
        </Button>
      </div>
      <SavedViews prefix="" counts={counts} />
      <UsersTable area="users" prefix="" variant="full" onPositions={toPositions} />
    </div>
  );
}
