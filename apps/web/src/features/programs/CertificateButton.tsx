/** Downloads the user's certificate of a contest or a challenge. Without a user's own session there is none. */
import Award from 'lucide-react/icons/award';
import { downloadText, toFileName } from '../../shared/download/index.ts';
import { failedWith, useRequest } from '../../shared/form/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { Button, showToast } from '../../shared/ui/index.ts';

interface CertificateButtonProps {
  /** Of the contest or challenge. */
  readonly name: string;
  readonly read: () => PromiseLike<{ readonly text: string } | null>;
}

export function CertificateButton({ name, read }: CertificateButtonProps) {
  const { impersonation } = useSignedIn();
  const { pending, run } = useRequest<string>();
  if (impersonation !== null) return null;
  const save = () =>
    run(
      async () => {
        const certificate = await read();
        downloadText(toFileName(`certificate_${name}.json`), certificate?.text ?? '', 'application/json');
        return null;
      },
      (cause) => {
        showToast('error', failedWith('Failed to download the certificate')(cause));
        return null;
      },
    );
  return (
    <Button size="compact" tone="quiet" onClick={save} pending={pending}>
      {pending ? null : <Award size={14} aria-hidden="true" />}
      Download my certificate
    </Button>
  );
}
