import { Upcoming } from '../../shared/ui/index.ts';

export default function ManagerPage() {
  return (
    <Upcoming title="Your traders">
      The traders assigned to you, with their wallets and positions, will be here. It is not built yet; the
      table API already answers a manager&rsquo;s token.
    </Upcoming>
  );
}
