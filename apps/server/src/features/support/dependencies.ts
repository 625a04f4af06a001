/** What the parts of the support chat need; they import it from here and never `index.ts`. */
import type { Services } from '../../platform/services.ts';

export type SupportDependencies = Pick<Services, 'db' | 'timers' | 'bus' | 'log'>;
