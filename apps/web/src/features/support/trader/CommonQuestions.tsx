/** What an empty conversation shows: answers that need no agent, and the invitation to write. */
import { commonQuestions } from '@fulcrum/domain';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useSignedIn } from '../../../shared/session/index.ts';

export function CommonQuestions() {
  const { supabase } = useSignedIn();
  return (
    <div className="mx-auto mb-auto w-full max-w-prose py-6">
      <p className="text-14 font-medium">How can we help?</p>
      <p className="mt-1 text-13 text-text-2">
        Write your question below. It stays here, and the answer too, whenever you come back.
      </p>
      <ul aria-label="Common questions" className="panel mt-4 divide-y divide-line">
        {commonQuestions(supabase.config.allowReset).map(({ question, answer }) => (
          <li key={question}>
            <details className="group">
              <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 px-4 text-13 font-medium [&::-webkit-details-marker]:hidden">
                <ChevronRight
                  size={14}
                  aria-hidden="true"
                  className="shrink-0 text-text-3 transition-transform group-open:rotate-90"
                />
                {question}
              </summary>
              <p className="px-4 pb-3 pl-[38px] text-13 text-text-2">{answer}</p>
            </details>
          </li>
        ))}
      </ul>
    </div>
  );
}
