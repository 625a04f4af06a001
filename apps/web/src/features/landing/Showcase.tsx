/** The product preview beside the login, with the live market. */
import Check from 'lucide-react/icons/check';
import { MarketPreview } from './MarketPreview.tsx';

const facts = ['Simulated USDT only', 'Five markets, one ticket', 'Runs on your own server'] as const;

export default function Showcase() {
  return (
    <div className="flex h-full flex-col justify-center gap-[min(56px,4.5vh)] pl-16 max-xl:pl-10">
      <p className="text-44 font-semibold tracking-[-0.03em]">
        Find out what
        <br />
        50× feels like
        <br />
        before it costs you.
      </p>
      <div className="min-w-[520px] [&>figure]:rounded-r-none [&>figure]:border-r-0">
        <MarketPreview height={396} />
      </div>
      <ul className="flex flex-wrap gap-x-9 gap-y-2 text-13 text-text-2">
        {facts.map((fact) => (
          <li key={fact} className="flex items-center gap-2">
            <Check size={14} aria-hidden="true" className="text-accent" />
            {fact}
          </li>
        ))}
      </ul>
    </div>
  );
}
