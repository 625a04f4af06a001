import { Upcoming } from '../../shared/ui/index.ts';

export default function AdminPage() {
  return (
    <Upcoming title="Users, wallets and positions">
      The administration of this server will be here: users, their wallets and positions, managers and funds.
      It is not built yet; the table API already answers an administrator&rsquo;s token.
    </Upcoming>
  );
}
