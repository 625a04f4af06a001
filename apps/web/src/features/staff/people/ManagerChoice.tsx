/** Which manager a trader has (ADMIN-52, ADMIN-54, ADMIN-60). */
import { texts } from '@fulcrum/contract/texts';
import type { RefObject } from 'react';
import { log } from '../../../shared/log/log.ts';
import { Button } from '../../../shared/ui/index.ts';
import { Choice } from './Choice.tsx';
import { useManagers } from './managers.ts';

interface ManagerChoiceProps {
  /** '' is nobody. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The one the trader has now, who is offered even while the list is not there. */
  readonly present: string | null;
  readonly select?: RefObject<HTMLSelectElement | null>;
}

export function ManagerChoice({ value, onChange, present, select }: ManagerChoiceProps) {
  const { data: managers, isError, isFetching, refetch } = useManagers();
  const isListed = present === null || managers?.some(({ id }) => id === present) === true;
  const retry = () => {
    refetch().catch((cause: unknown) => log.error('Reading the managers again broke', cause));
  };
  return (
    <div className="flex flex-col gap-2">
      <Choice
        label="Manager"
        name="managerId"
        value={value}
        onChange={onChange}
        {...(select && { ref: select })}
        aria-busy={managers === undefined && !isError ? true : undefined}
        error={isError && managers === undefined ? texts.loadManagersFailed : undefined}
      >
        <option value="">No Manager</option>
        {isListed || present === null ? null : <option value={present}>The present manager</option>}
        {managers?.map(({ id, username }) => (
          <option key={id} value={id}>
            {username}
          </option>
        ))}
      </Choice>
      {isError && managers === undefined ? (
        <Button size="compact" className="self-start" onClick={retry} pending={isFetching}>
          Retry
        </Button>
      ) : null}
    </div>
  );
}
