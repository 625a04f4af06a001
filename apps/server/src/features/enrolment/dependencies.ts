/** What the parts of the enrolment need; they import it from here and never `index.ts`. */
import type { Config } from '../../platform/config/index.ts';
import type { Services } from '../../platform/services.ts';
import type { JoinClass } from '../classes/index.ts';

export interface EnrolmentDependencies extends Pick<Services, 'db' | 'clock' | 'bus' | 'log'> {
  readonly config: Pick<Config, 'registration' | 'registrationDomains' | 'signupBalance'>;
  readonly joinClass: JoinClass;
  /** Without a trailing slash; a function, because the port may be known late. */
  readonly publicUrl: () => string;
  /** Starts the sending of queued mails. */
  readonly wakeMails: () => void;
}
