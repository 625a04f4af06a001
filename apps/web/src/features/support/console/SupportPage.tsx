import { Upcoming } from '../../../shared/ui/index.ts';

export default function SupportPage() {
  return (
    <Upcoming title="Conversations">
      The conversations of traders who ask for help will be here. It is not built yet.
    </Upcoming>
  );
}
