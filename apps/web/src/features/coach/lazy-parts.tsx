/** The parts of a page that load when they are first shown. */
import { lazyPart, missingPart } from '../../shared/code/lazy-part.tsx';

export const Week = lazyPart(() => import('./Week.tsx'), missingPart('This part failed to load'));
