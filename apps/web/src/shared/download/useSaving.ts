/** One request at a time that saves a file. A failure is a toast with the server's reason, or `failed` without one. */
import { failedWith, useRequest } from '../form/index.ts';
import { showToast } from '../ui/index.ts';

export function useSaving(failed: string) {
  const { run, pending } = useRequest();
  const save = (make: () => Promise<unknown>) =>
    run(
      async () => {
        await make();
        return null;
      },
      (cause) => {
        showToast('error', failedWith(failed)(cause));
        return null;
      },
    );
  return { save, pending } as const;
}
