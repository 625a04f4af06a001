import { Upcoming } from '../../shared/ui/index.ts';

export default function MetricsPage() {
  return (
    <Upcoming title="Metrics">
      Positions, orders, transactions and wallets of all traders will be listed here. It is not built yet.
    </Upcoming>
  );
}
