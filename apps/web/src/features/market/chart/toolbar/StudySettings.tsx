/** The parameters and the colour of one added study. A valid value applies as it is typed; an invalid one says why. */
import { useId, useState } from 'react';
import { type AddedStudy, paramError, studyKinds } from '../settings/studies.ts';
import { InkButtons } from './InkButtons.tsx';

interface StudySettingsProps {
  readonly study: AddedStudy;
  readonly onChange: (study: AddedStudy) => void;
}

export function StudySettings({ study, onChange }: StudySettingsProps) {
  const id = useId();
  const { title, labels } = studyKinds[study.name];
  const [texts, setTexts] = useState<readonly string[]>(() => study.params.map(String));
  const toValue = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN);
  const type = (changed: number, text: string) => {
    const next = texts.map((one, index) => (index === changed ? text : one));
    setTexts(next);
    const params = next.map(toValue);
    if (params.every((value) => paramError(value) === null)) onChange({ ...study, params });
  };
  const error = texts.map((text) => paramError(toValue(text))).find((one) => one !== null) ?? null;
  return (
    <fieldset className="mb-1 flex flex-col gap-2 border-l-2 border-line-strong py-1 pl-2">
      <legend className="sr-only">{`Settings of ${title}`}</legend>
      {labels.length === 0 ? null : (
        <div className="grid grid-cols-3 gap-2">
          {labels.map((label, index) => (
            <div key={label} className="flex min-w-0 flex-col gap-1">
              <label htmlFor={`${id}-${label}`} className="truncate text-11 text-text-3">
                {label}
              </label>
              <input
                id={`${id}-${label}`}
                inputMode="numeric"
                autoComplete="off"
                value={texts[index] ?? ''}
                onChange={({ target }) => type(index, target.value)}
                aria-invalid={paramError(toValue(texts[index] ?? '')) === null ? undefined : true}
                aria-describedby={error === null ? undefined : `${id}-error`}
                className="control h-8 w-full px-2 text-13 max-md:h-11 max-md:text-16 pointer-coarse:text-16"
              />
            </div>
          ))}
        </div>
      )}
      <p id={`${id}-error`} role="status" className="text-11 text-down empty:hidden">
        {error ?? ''}
      </p>
      <InkButtons ink={study.ink} onChoose={(ink) => onChange({ ...study, ink })} />
    </fieldset>
  );
}
