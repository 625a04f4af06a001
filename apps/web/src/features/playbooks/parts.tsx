/** The part of the journal's page that loads when it is first shown. */
import type { MissingProps } from '../../shared/code/lazy-code.tsx';
import { lazyPart } from '../../shared/code/lazy-part.tsx';
import { ErrorState } from '../../shared/ui/index.ts';

const Missing = (props: MissingProps) => <ErrorState title="The playbooks failed to load" {...props} />;

export const Playbooks = lazyPart(() => import('./Playbooks.tsx'), Missing);
