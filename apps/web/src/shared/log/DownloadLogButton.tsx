/** Downloads this browser's application log, without secrets (A105). */
import { Button, type ButtonSize, type ButtonTone } from '../ui/Button.tsx';
import { log } from './log.ts';
import { formatLog, logFileName } from './log-file.ts';

interface DownloadLogButtonProps {
  readonly tone?: ButtonTone;
  readonly size?: ButtonSize;
}

function download(): void {
  const now = new Date();
  const text = formatLog(log.entries, { now, path: location.pathname, browser: navigator.userAgent });
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = logFileName(now);
  link.click();
  // By then the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function DownloadLogButton({ tone = 'secondary', size = 'regular' }: DownloadLogButtonProps) {
  return (
    <Button tone={tone} size={size} onClick={download}>
      Download log
    </Button>
  );
}
