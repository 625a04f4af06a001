/** The admin's Support tab (ADMIN-78, ADMIN-79): support's metrics and its agents. It is read-only (A70). */
import { AgentCards } from './AgentCards.tsx';
import { SupportMetricsPanel } from './SupportMetricsPanel.tsx';

export function SupportTab() {
  return (
    <div className="flex flex-col gap-4 p-6 max-lg:p-4 max-md:gap-3 max-md:p-3">
      <h1 className="flex min-h-9 items-center text-20 font-semibold">Support</h1>
      <SupportMetricsPanel />
      <AgentCards />
    </div>
  );
}
