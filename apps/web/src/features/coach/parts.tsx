/** The parts of a page that load when they are first shown. */
import type { MissingProps } from '../../shared/code/lazy-code.tsx';
import { lazyPart } from '../../shared/code/lazy-part.tsx';
import { ErrorState } from '../../shared/ui/index.ts';

const Missing = (props: MissingProps) => <ErrorState title="This part failed to load" {...props} />;

export const Week = lazyPart(() => import('./Week.tsx'), Missing);
