/** What a tab's title ends with: the account where it is not the main one, so that two tabs are told apart. */
import { useSignedIn } from '../session/index.ts';

export const useSiteName = (): string => useSignedIn().account?.name ?? 'Fulcrum';
