/** A rule's short lesson, closed until it is asked for. */
import { type CoachRuleId, lessons } from '@fulcrum/domain';

export function LessonToggle({ rule }: { readonly rule: CoachRuleId }) {
  const { title, sentences } = lessons[rule];
  return (
    <details className="mt-1.5 text-12">
      <summary className="cursor-pointer rounded-control py-0.5 text-accent hover:underline max-md:py-3">
        {`Lesson: ${title}`}
      </summary>
      <p className="mt-1 max-w-prose text-13 text-text-2">{sentences.join(' ')}</p>
    </details>
  );
}
