/** The wallet before and after, computed by the server. Old figures stay, dimmed, while new ones load. */
import { Amount } from '../../../shared/numbers/index.ts';
import { Skeleton } from '../../../shared/ui/index.ts';
import type { WalletPreview } from './requests.ts';

const lines = [
  { label: 'Balance', column: 'balance' },
  { label: 'Margin held', column: 'margin' },
  { label: 'Available', column: 'available_balance' },
] as const;

interface WalletEffectProps {
  /** Undefined while the first preview loads. */
  readonly preview: Pick<WalletPreview, 'before' | 'after'> | undefined;
  /** Whether the preview matches the current input. */
  readonly isCurrent: boolean;
}

export function WalletEffect({ preview, isCurrent }: WalletEffectProps) {
  return (
    <table
      aria-busy={!isCurrent || undefined}
      className="w-full border-separate border-spacing-0 overflow-hidden rounded-control border border-line bg-inset text-13 max-[359px]:text-12"
    >
      <caption className="sr-only">The wallet before and after</caption>
      <thead>
        <tr className="h-7 text-11 text-text-3">
          <th scope="col" className="px-3 text-left font-medium">
            <span className="sr-only">Figure</span>
          </th>
          <th scope="col" className="px-1 text-right font-medium">
            Before
          </th>
          <th scope="col" className="px-3 text-right font-medium">
            After
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ label, column }) => (
          <tr key={column} className="h-8">
            <th
              scope="row"
              className="whitespace-nowrap max-[359px]:whitespace-normal border-t border-line pr-1 pl-3 text-left font-normal"
            >
              {label}
            </th>
            <td className="border-t border-line px-1 text-right text-text-2">
              {preview ? <Amount value={preview.before[column]} /> : <Skeleton className="h-3 w-16" />}
            </td>
            <td
              className={`border-t border-line pr-3 pl-1 text-right font-semibold transition-opacity ${isCurrent ? '' : 'opacity-50'}`}
            >
              {preview ? (
                <Amount value={preview.after?.[column] ?? null} />
              ) : (
                <Skeleton className="h-3 w-16" />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
