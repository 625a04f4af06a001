/** An action of the console with one key. */
import type { Action } from '../../../shared/actions/index.ts';

export const consoleAction = (id: string, label: string, key: string, perform: () => void): Action => ({
  id,
  label,
  group: 'Support',
  keys: [key],
  perform,
});
