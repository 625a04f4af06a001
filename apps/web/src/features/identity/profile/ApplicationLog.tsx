/** Downloads this browser's log as a file for support (A105). */
import { DownloadLogButton } from '../../../shared/log/DownloadLogButton.tsx';
import { Section } from '../../../shared/ui/index.ts';

export function ApplicationLog() {
  return (
    <Section title="Application log" lead="What this page noticed since it was opened.">
      <p className="mb-3 text-13 text-text-2">
        A text file of at most 1000 entries, without passwords and tokens. It stays on this device.
      </p>
      <DownloadLogButton />
    </Section>
  );
}
