/** What the parts of the support chat need; they import it from here and never `index.ts`. */
import type { Services } from '../../platform/services.ts';
import type { Files } from '../files/index.ts';

export interface SupportDependencies extends Pick<Services, 'db' | 'timers' | 'bus' | 'log'> {
  readonly files: Pick<Files, 'signAdmitted'>;
}
