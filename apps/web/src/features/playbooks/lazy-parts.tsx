/** The part of the journal's page that loads when it is first shown. */
import { lazyPart, missingPart } from '../../shared/code/lazy-part.tsx';

export const Playbooks = lazyPart(
  () => import('./Playbooks.tsx'),
  missingPart('The playbooks failed to load'),
);
