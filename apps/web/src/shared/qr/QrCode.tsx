/** A QR code, dark on white in both themes, because many readers take no inverted one. */
import { encodeQr } from './encode.ts';

const quietZone = 4;

interface QrCodeProps {
  readonly text: string;
  /** What it leads to. */
  readonly label: string;
  readonly className?: string;
}

export function QrCode({ text, label, className = '' }: QrCodeProps) {
  const modules = encodeQr(text);
  const side = modules.length + 2 * quietZone;
  const path = modules
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + quietZone} ${y + quietZone}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
