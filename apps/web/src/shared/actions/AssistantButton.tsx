/** Opens the assistant from the header of a phone. The layout registers the action; staff who look in have none. */
import Sparkles from 'lucide-react/icons/sparkles';
import { useSignedIn } from '../session/index.ts';
import { IconButton } from '../ui/index.ts';
import { registeredActions } from './actions.ts';

export const assistantId = 'assistant';

const show = () =>
  registeredActions()
    .find(({ id }) => id === assistantId)
    ?.perform();

export function AssistantButton() {
  if (useSignedIn().impersonation !== null) return null;
  return (
    <IconButton label="Assistant" onClick={show}>
      <Sparkles size={18} aria-hidden="true" />
    </IconButton>
  );
}
