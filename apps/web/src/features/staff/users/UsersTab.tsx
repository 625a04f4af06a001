/** The Users tab (ADMIN-17, ADMIN-18): everybody, and Add User. */
import Plus from 'lucide-react/icons/plus';
import { useNavigate } from 'react-router';
import { Button } from '../../../shared/ui/index.ts';
import { type Person, useAct } from '../people/index.ts';
import { pageRows, UsersTable } from './UsersTable.tsx';
import { useReadUsersAgain } from './useUsers.ts';
import { Views } from './Views.tsx';

export function UsersTab() {
  const openAct = useAct();
  const readAgain = useReadUsersAgain();
  const navigate = useNavigate();
  const toPositions = ({ id }: Person) => void navigate(`/admin/users/${id}?section=positions`);
  return (
    <div className="flex flex-col gap-3 p-6 max-lg:p-4 max-md:p-3">
      <title>Users · Fulcrum</title>
      <div className="flex items-center gap-4">
        <h1 className="text-20 font-semibold">Users</h1>
        <Button
          tone="primary"
          className="ml-auto !h-8 max-md:!h-11"
          onClick={() => openAct('add', null, readAgain)}
        >
          <Plus size={15} aria-hidden="true" />
          Add User
        </Button>
      </div>
      <Views prefix="" size={pageRows.full} />
      <UsersTable place="users" prefix="" variant="full" onPositions={toPositions} />
    </div>
  );
}
